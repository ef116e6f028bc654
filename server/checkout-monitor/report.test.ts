import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { countDifferences, readCountedRecords, recount } from '../../test/checkout-counts.ts'
import { testCharges } from '../../test/charges.ts'
import { openPayerClientAt } from '../../test/payer-client.ts'
import type { Json } from '../../test/payments-client.ts'
import { openCheckout, openEightCheckouts } from '../../test/eight-checkouts.ts'
import { inTransaction } from '../db/transaction.ts'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { pruneCheckouts } from '../checkouts/prune.ts'
import { getCheckout, updateIfUnchanged } from '../checkouts/store.ts'
import { foldCounts } from './fold-changes.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand

async function report({ api }: Merchant, query = ''): Promise<Json> {
  const { status, json, text } = await api(`/checkout_monitor?${query}`)
  expect(status, text).toBe(200)
  return json.checkout_monitor
}

const open = (merchant: Merchant, options: object = {}, language = 'en') =>
  openCheckout(app, merchant, options, language)
const eight = (merchant: Merchant) => openEightCheckouts(app, merchant)

const recordsOf = ({ instance }: Merchant) => readCountedRecords(deps.db, instance.id)
const differences = async (merchant: Merchant, pruned?: ReturnType<typeof recount>) =>
  countDifferences(await recordsOf(merchant), pruned)

const NONE = {
  opened: 0,
  details_done: 0,
  method_chosen: 0,
  submitted: 0,
  challenged: 0,
  completed: 0,
  pending: 0,
  declined: 0,
  abandoned: 0,
  expired: 0,
  amount: {},
}

describe('the report', () => {
  it('counts each session once in each column, whatever was tried in it', async () => {
    const merchant = await app.newMerchant()
    await eight(merchant)
    const counted = await report(merchant)
    expect(counted).toMatchObject({
      timezone: 'UTC',
      totals: {
        opened: 8,
        details_done: 1,
        method_chosen: 2,
        submitted: 6,
        challenged: 1,
        completed: 3,
        pending: 2,
        declined: 2,
        abandoned: 0,
        expired: 0,
        amount: { EUR: '25.00', USD: '12.50' },
      },
      rates: { submit: '0.7500', approval: '0.5000', conversion: '0.3750' },
      median_seconds_to_pay: 0,
      declines: [
        { code: 'INSUFFICIENT_FUNDS', count: 2 },
        { code: 'DECLINED', count: 1 },
      ],
      rows_omitted: 0,
    })
    expect(await differences(merchant)).toEqual([])
    await foldCounts(deps)
    expect(await report(merchant)).toEqual(counted)
    expect(await differences(merchant)).toEqual([])
    app.pass(7_200_000)
    await closeExpiredSessions(deps)
    const { totals } = await report(merchant)
    expect(totals).toMatchObject({ opened: 8, abandoned: 2, expired: 1, completed: 3 })
    expect(await differences(merchant)).toEqual([])
  })

  it('has rows by property, and criteria on them', async () => {
    const merchant = await app.newMerchant()
    await eight(merchant)
    const opened = async (query: string) =>
      (await report(merchant, query)).rows.map(({ key, opened: n }: Json) => [key, n])
    expect(await opened('by=channel')).toEqual([
      [null, 6],
      ['shop', 2],
    ])
    expect(await opened('by=language')).toEqual([
      ['default', 7],
      ['de', 1],
    ])
    expect(await opened('by=method')).toEqual([
      ['CARD', 6],
      [null, 2],
    ])
    expect(await opened('by=processor')).toEqual([
      ['sandbox', 6],
      [null, 2],
    ])
    expect(await opened('by=branding')).toEqual([[null, 8]])
    expect(await opened('by=deep_link')).toEqual([[null, 8]])
    expect(await opened('by=channel&criteria=currency=USD')).toEqual([['shop', 1]])
    expect(await opened('by=language&criteria=channel!')).toEqual([['default', 6]])
    const paid = await report(merchant, 'by=language&criteria=language=de')
    expect(paid.rows).toEqual([
      {
        ...NONE,
        key: 'de',
        opened: 1,
        details_done: 1,
        method_chosen: 1,
        submitted: 1,
        completed: 1,
        amount: { EUR: '12.50' },
        rates: { submit: '1.0000', approval: '1.0000', conversion: '1.0000' },
        median_seconds_to_pay: 47,
      },
    ])
  })

  it('names posters, and no link that is for one customer', async () => {
    const merchant = await app.newMerchant()
    const { inDays, newAccount, newCharge } = testCharges(app, merchant)
    const account = await newAccount()
    await newCharge({ accountId: account, amount: 500 })
    const newLink = async (deep_link: object) =>
      (await merchant.api('/deep_links', { body: { deep_link } })).json.deep_link
    const poster = await newLink({ action: 'PAY', options: { amount: '5.00' } })
    const personal = [
      await newLink({ action: 'PAY_CHARGES', account, expires: inDays(9) }),
      await newLink({ action: 'PAY', options: { account, amount: '5.00' }, expires: inDays(9) }),
      await newLink({ action: 'PAY', options: { account: { crm_key: 'ada' }, amount: '5.00' } }),
    ]
    for (const { url } of [poster, ...personal]) {
      const payer = await openPayerClientAt(app, new URL(url).pathname)
      await payer.payByCard(CARDS.approve)
    }
    const { rows } = await report(merchant, 'by=deep_link')
    const shown = rows.map(({ key, opened, completed }: Json) => [key, opened, completed])
    expect(shown).toEqual([
      [null, 3, 3],
      [poster.id, 1, 1],
    ])
    expect(await differences(merchant)).toEqual([])
  })

  it('has every day and hour of the time zone, also those without sessions', async () => {
    const merchant = await app.newMerchant()
    const instance = { timezone: 'Asia/Kathmandu' }
    await merchant.api('/instances/default', { method: 'PUT', body: { instance } })
    const day = new Date(app.now() + 5.75 * 3_600_000).toISOString().slice(0, 10)
    await open(merchant)
    app.pass(86_400_000)
    await open(merchant)
    const days = await report(merchant, `from=${day}`)
    expect(days.timezone).toBe('Asia/Kathmandu')
    expect(days.from).toMatch(/T18:15:00.000Z$/)
    expect(days.rows.map(({ opened }: Json) => opened)).toEqual([1, 1])
    expect(days.rows[0].key).toBe(day)
    const hours = await report(merchant, `from=${day}&by=hour`)
    expect(hours.rows).toHaveLength(48)
    expect(hours.rows[0].key).toBe(`${day}T00:00:00+05:45`)
    expect(hours.rows.filter(({ opened }: Json) => opened === 1)).toHaveLength(2)
    expect((await report(merchant)).rows).toHaveLength(30)
    expect((await report(merchant, `to=${day}`)).totals.opened).toBe(1)
  })

  it.each([
    ['from=yesterday', 'from must be a date such as'],
    ['from=2026-02-30', 'from must be a date such as'],
    ['from=2026-02-02&to=2026-02-01', 'to must be after from'],
    ['from=2025-01-01&to=2026-02-05', 'to must be at most 400 days after from'],
    ['from=2026-01-01&to=2026-02-20&by=hour', 'by hour has more than 1000 rows'],
    ['by=week', 'by must be day or hour or branding'],
    ['criteria=status=OPEN', 'criteria status is not counted; only currency, language'],
    ['criteria=created>2026-01-01', 'criteria created is given by from and to'],
    ['criteria=nobody=1', 'Unknown criteria field nobody'],
  ])('refuses %s', async (query, message) => {
    const { status, json } = await app.merchant.api(`/checkout_monitor?${query}`)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('the counts', () => {
  it('outlive the sessions', async () => {
    const merchant = await app.newMerchant()
    // In the three slots of a quarter of an hour.
    app.pass(900_000 - (app.now() % 900_000))
    for (let slot = 0; slot < 3; slot += 1) {
      await eight(merchant)
      app.pass(300_000 - (app.now() % 300_000))
    }
    app.pass(7_200_000)
    await closeExpiredSessions(deps)
    await foldCounts(deps)
    const day = `from=${new Date(app.now()).toISOString().slice(0, 10)}&by=method`
    const before = await report(merchant, day)
    const all = await recordsOf(merchant)
    app.pass(500 * 86_400_000)
    await pruneCheckouts(deps)
    const left = await recordsOf(merchant)
    expect(left.checkouts.length).toBeLessThan(all.checkouts.length)
    const leftIds = new Set(left.checkouts.map(({ id }) => id))
    const pruned = all.checkouts.filter(({ id }) => !leftIds.has(id))
    expect(await differences(merchant, recount({ ...all, checkouts: pruned }))).toEqual([])
    await foldCounts({ ...deps, realNow: () => app.now() })
    expect(await differences(merchant, recount({ ...all, checkouts: pruned }))).toEqual([])
    expect(await report(merchant, `${day}&to=${before.to.slice(0, 10)}`)).toEqual({
      ...before,
      to: expect.any(String),
    })
    const fine = await deps.db
      .selectFrom('checkout_counts')
      .selectAll()
      .where('instance_id', '=', merchant.instance.id)
      .execute()
    expect(fine.filter(({ slot }) => slot % 3 !== 0)).toEqual([])
    expect(fine.filter(({ opened, occurrences }) => opened + occurrences <= 0)).toEqual([])
  })

  it('do not change with a change of a session that is rolled back or comes too late', async () => {
    const merchant = await app.newMerchant()
    const { checkout } = await open(merchant)
    const stored = await getCheckout(deps.db, checkout.id)
    const close = (fail: boolean) =>
      inTransaction(deps.db, async (tx) => {
        const closed = await updateIfUnchanged(tx, stored, { status: 'EXPIRED' })
        if (fail) throw new Error('rolled back')
        return closed
      })
    await expect(close(true)).rejects.toThrow('rolled back')
    expect((await report(merchant)).totals).toMatchObject({ opened: 1, expired: 0 })
    expect([await close(false), await close(false)]).toEqual([true, false])
    expect((await report(merchant)).totals).toMatchObject({ opened: 1, expired: 1 })
    expect(await differences(merchant)).toEqual([])
  })

  it('are the same while several processes add them up and payers go on', async () => {
    const merchant = await app.newMerchant()
    await Promise.all([
      ...Array.from({ length: 30 }, async (_, at) => {
        const payer = await open(merchant, {}, at % 2 === 0 ? 'en' : 'fr')
        await payer.payByCard(at % 3 === 0 ? CARDS.decline : CARDS.approve)
      }),
      ...[1, 2, 3, 4].map(() => foldCounts(deps)),
    ])
    await Promise.all([1, 2, 3].map(() => foldCounts(deps)))
    expect(await differences(merchant)).toEqual([])
    expect((await report(merchant)).totals).toMatchObject({ opened: 30, completed: 20 })
    const left = await deps.db.selectFrom('checkout_count_changes').select('id').execute()
    expect(left).toEqual([])
  })
})
