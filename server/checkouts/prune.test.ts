import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { DAY_MS } from '../../test/payments-client.ts'
import { newLink, openPayerClient, readLink, returnFromBank } from '../../test/payer-client.ts'
import { closeExpiredSessions } from './close-sessions.ts'
import { pruneCheckouts } from './prune.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { api } = app.merchant

const HOUR_MS = 3_600_000

const openSession = async (link: { id: string }) => {
  const payer = await openPayerClient(app, link.id)
  return { ...payer, id: payer.checkout.id as string }
}
const statusOf = async (id: string) => (await api(`/checkouts/${id}`)).status
const pruneAfter = async (ms: number) => {
  app.pass(ms)
  await closeExpiredSessions(deps)
  await pruneCheckouts(deps)
}

describe('an ended session', () => {
  it('is deleted thirty days later and is no longer listed', async () => {
    const link = await newLink(app.merchant)
    const { id } = await openSession(link)
    await pruneAfter(HOUR_MS)
    await pruneAfter(30 * DAY_MS)
    expect(await statusOf(id)).toBe(200)
    await pruneAfter(1)
    expect(await statusOf(id)).toBe(404)
    const list = await api(`/checkouts?criteria=payment_link=${link.id}`)
    expect(list.json.checkouts).toEqual([])
  })

  it('leaves its link’s opening times, attempts and version unchanged', async () => {
    const link = await newLink(app.merchant)
    await (await openSession(link)).payByCard(CARDS.decline)
    app.pass(5000)
    await openSession(link)
    app.pass(5000)
    const paid = await openSession(link)
    await paid.payByCard(CARDS.approve)
    const before = await readLink(app.merchant, link.id)
    expect([before.opened < before.last_opened, before.attempts]).toEqual([true, 2])
    await pruneAfter(HOUR_MS)
    await pruneAfter(31 * DAY_MS)
    expect(await statusOf(paid.id)).toBe(200)
    await pruneAfter(370 * DAY_MS)
    expect(await statusOf(paid.id)).toBe(404)
    expect(await readLink(app.merchant, link.id)).toEqual(before)
    const listed = await api(`/payment_links?criteria=id=${link.id}`)
    expect(listed.json.payment_links).toEqual([before])
    expect((await api(`/payments/${before.payment}?expand=transaction`)).status).toBe(200)
  })

  it('keeps the link’s opening times when its sessions are deleted in several runs', async () => {
    const link = await newLink(app.merchant)
    const first = await readLinkAfter(link)
    app.pass(20 * DAY_MS)
    await readLinkAfter(link)
    await pruneAfter(0)
    app.pass(20 * DAY_MS)
    const last = await readLinkAfter(link)
    await pruneAfter(0)
    expect([last.opened, last.last_opened > first.last_opened]).toEqual([first.opened, true])
    await pruneAfter(40 * DAY_MS)
    expect(await readLink(app.merchant, link.id)).toEqual(last)
  })

  it('is kept while one of its payments has no outcome', async () => {
    const link = await newLink(app.merchant)
    const payer = await openSession(link)
    const { json } = await payer.payByCard(CARDS.challenge)
    await pruneAfter(60 * DAY_MS)
    expect(await statusOf(payer.id)).toBe(200)
    await returnFromBank(app, json.action.url)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
    await pruneAfter(0)
    expect(await statusOf(payer.id)).toBe(200)
    await pruneAfter(401 * DAY_MS)
    expect(await statusOf(payer.id)).toBe(404)
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })

  it('is unknown to its payer, who can open the link again', async () => {
    const link = await newLink(app.merchant)
    const payer = await openSession(link)
    await pruneAfter(HOUR_MS)
    await pruneAfter(31 * DAY_MS)
    expect((await payer.current()).status).toBe(401)
    const again = await openSession(link)
    expect((await again.payByCard(CARDS.approve)).json.outcome).toBe('COMPLETED')
  })

  it('is deleted once by concurrent servers', async () => {
    const link = await newLink(app.merchant)
    for (let n = 0; n < 5; n += 1) await openSession(link)
    app.pass(HOUR_MS)
    await closeExpiredSessions(deps)
    const before = await readLink(app.merchant, link.id)
    app.pass(31 * DAY_MS)
    await Promise.all([pruneCheckouts(deps), pruneCheckouts(deps), pruneCheckouts(deps)])
    expect(await readLink(app.merchant, link.id)).toEqual(before)
  })
})

async function readLinkAfter(link: { id: string }) {
  await openSession(link)
  const read = await readLink(app.merchant, link.id)
  app.pass(HOUR_MS)
  return read
}

it('deletes more sessions than one batch holds', async () => {
  const link = await newLink(app.merchant)
  const { id } = await openSession(link)
  const row = await deps.db
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: 450 }, (_one, n) => ({ ...row, id: `${id}${n}` }))
  for (const copy of copies) await deps.db.insertInto('checkouts').values(copy).execute()
  app.pass(HOUR_MS)
  await closeExpiredSessions(deps)
  app.pass(31 * DAY_MS)
  await pruneCheckouts(deps)
  const left = deps.db.selectFrom('checkouts').select('id').where('payment_link_id', '=', link.id)
  expect(await left.execute()).toEqual([])
})
