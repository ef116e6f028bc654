import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newDeepLink } from '../../test/deep-links.ts'
import { newLink, openPayerClientAt } from '../../test/payer-client.ts'
import { up } from '../db/migrations/0080-criteria-of-links.ts'

const app = await startTestApp()
const { merchant } = app
const { api } = merchant
const { db } = app.checkstand.deps

/** In the order of creation. */
const LINKS = [
  { name: 'Élodie’s course', amount: '24.00', currency: 'CHF', alt_key: 'Rechnung-Ä1' },
  { name: 'Tea', amount: '24.00', channel: 'shop' },
  { name: 'Rice', amount: '500', currency: 'JPY' },
  { name: 'Gift', default_amount: '24.00' },
  { amount: '9.10', currency: 'CHF' },
]
const ids: string[] = []
for (const options of LINKS) {
  app.pass(1000)
  ids.push((await newLink(merchant, options)).id as string)
}

/** Returns the positions in `LINKS` of the links found. */
async function find(criteria: string, order = 'created'): Promise<number[]> {
  const query = new URLSearchParams({ criteria, order })
  const { status, json, text } = await api(`/payment_links?${query.toString()}`)
  expect(status, text).toBe(200)
  return (json.payment_links as { id: string }[]).map(({ id }) => ids.indexOf(id))
}

const FOUND: [string, number[]][] = [
  ['name=élodie’s COURSE', [0]],
  ['name~=e', [0, 1, 2]],
  ['name!', [4]],
  ['alt_key=rechnung-ä1', [0]],
  ['channel=SHOP', [1]],
  ['amount=24', [0, 1]],
  ['amount<24', [4]],
  ['amount>=24.01', [2]],
  ['amount!', [3]],
  ['currency=chf', [0, 4]],
]

it.each(FOUND)('%s finds the links whose options it describes', async (criteria, expected) => {
  expect(await find(criteria)).toEqual(expected)
})

it('currency finds links without one by the default of the instance', async () => {
  const { default_currency } = (await api('/instances/default')).json.instance
  expect(await find(`currency=${default_currency}`)).toEqual([1, 3])
})

it('order by name and by amount puts links without one last', async () => {
  expect(await find('', 'name')).toEqual([3, 2, 1, 0, 4])
  expect(await find('', 'amount:desc')).toEqual([2, 1, 0, 4, 3])
})

it('finds links by their present options after an edit', async () => {
  const id = ids[1]
  const change = async (options: object) => {
    const body = { mode: 'PATCH', payment_link: { options } }
    const { status, text } = await api(`/payment_links/${id}`, { method: 'PUT', body })
    expect(status, text).toBe(200)
  }
  await change({ name: 'Coffee', amount: '3.00', channel: null })
  expect(await find('name=coffee,amount=3.00,channel!')).toEqual([1])
  expect(await find('name=tea')).toEqual([])
  await change({ name: 'Tea', amount: '24.00', channel: 'shop' })
})

it('finds the use of a deep link by its terms', async () => {
  await newDeepLink(merchant, { name: 'Poster', amount: '7.00' }, { slug: 'poster' })
  await (await openPayerClientAt(app, '/go/poster')).payByCard(CARDS.decline)
  const { meta } = (await api('/payment_links?criteria=name=poster,amount=7')).json
  expect(meta.total).toBe(1)
})

it('gets the columns of links from before filled in by the migration', async () => {
  const columns = ['name_lower', 'alt_key_lower', 'channel_lower', 'amount_e4', 'currency'] as const
  const read = () =>
    db
      .selectFrom('payment_links')
      .select(['id', ...columns])
      .orderBy('id')
      .execute()
  const before = await read()
  for (const column of columns) {
    await db.schema.alterTable('payment_links').dropColumn(column).execute()
  }
  await db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>))
  expect(await read()).toEqual(before)
})
