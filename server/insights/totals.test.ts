import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { payNewLink } from '../../test/payer-client.ts'
import type { Json } from '../../test/payments-client.ts'
import { readTotalledRecords, totalDifferences } from '../../test/totals.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { fileInsights, rebuildInsights } from './file.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand
const DAY = 86_400_000

async function totals({ api }: Merchant, query = ''): Promise<Json[]> {
  await fileInsights(deps)
  const { status, json, text } = await api(`/totals?${query}`)
  expect(status, text).toBe(200)
  return json.totals
}

const differences = async () => totalDifferences(await readTotalledRecords(deps.db))
const pay = (merchant: Merchant, card: string, options: object = {}) =>
  payNewLink({ ...app, merchant }, card, { amount: '12.50', ...options })
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

async function refund({ api }: Merchant, amount: string): Promise<void> {
  const { payments } = (await api('/payments?criteria=status=SUCCESS')).json
  const payment = payments.find(({ currency }: { currency: string }) => currency === 'EUR')
  const { status, text } = await api(`/payments/${payment.id}/refund`, {
    method: 'POST',
    body: { refund: { amount } },
  })
  expect(status, text).toBe(200)
}

describe('totals', () => {
  it('sum what is taken and given back, and count declines', async () => {
    const merchant = await app.newMerchant()
    expect(await totals(merchant)).toEqual([])
    await pay(merchant, CARDS.approve)
    await pay(merchant, CARDS.decline)
    await pay(merchant, CARDS.noAnswerNotTaken)
    await pay(merchant, CARDS.approve, { amount: '3000', currency: 'JPY' })
    await refund(merchant, '2.50')
    const eur = {
      from: expect.any(String),
      to: expect.any(String),
      currency: 'EUR',
      gross: '12.50',
      captured: '0.00',
      refunded: '2.50',
      reversed: '0.00',
      net: '10.00',
      payments: 1,
      refunds: 1,
      declines: 1,
    }
    const [first, second] = await totals(merchant)
    expect([first, second?.gross]).toEqual([eur, '3000'])
    expect(await totals(merchant, 'currency=USD')).toMatchObject([{ gross: '0.00', payments: 0 }])
    expect(await differences()).toEqual([])
  })

  it('count a payment at the time of its outcome, and in no other', async () => {
    const merchant = await app.newMerchant()
    const begun = app.now()
    await pay(merchant, CARDS.pendingSuccess)
    expect(await totals(merchant)).toEqual([])
    app.pass(3 * DAY)
    await reconcileDue(deps)
    const rows = await totals(merchant, `by=day&from=${dayOf(begun)}&to=${dayOf(app.now())}`)
    expect(rows.map(({ payments }) => payments)).toEqual([0, 0, 0, 1])
    app.pass(2 * DAY)
    await refund(merchant, '12.50')
    const today = dayOf(app.now())
    expect(await totals(merchant, `from=${today}&to=${today}`)).toMatchObject([
      { gross: '0.00', net: '-12.50', refunds: 1 },
    ])
  })

  it('begin days and hours in the zone that is asked for', async () => {
    const merchant = await app.newMerchant()
    await pay(merchant, CARDS.approve)
    const one = async (query: string) =>
      (await totals(merchant, query)).filter(({ payments }) => payments === 1)
    const [utc] = await one('by=day')
    const [nepal] = await one('by=day&timezone=Asia/Kathmandu')
    expect(utc?.from).toMatch(/T00:00:00.000Z$/)
    expect(nepal?.from).toMatch(/T18:15:00.000Z$/)
    expect(Date.parse(nepal?.to) - Date.parse(nepal?.from)).toBe(DAY)
    const [hour] = await one(`by=hour&from=${dayOf(app.now())}`)
    const from = Date.parse(hour?.from)
    expect([from <= app.now(), app.now() < from + 3_600_000]).toEqual([true, true])
  })

  it.each([
    ['by=week', 'by must be'],
    ['from=2026-02-30', 'from must be'],
    ['from=2026-02-02&to=2026-02-01', 'to must be after from'],
    ['timezone=Mars', 'timezone must be'],
    ['currency=EURO', 'currency must be'],
  ])('are refused for %s', async (query, message) => {
    const { status, json } = await app.merchant.api(`/totals?${query}`)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('are the same when they are made anew, of records from before too', async () => {
    const stored = async () =>
      (await deps.db.selectFrom('totals').selectAll().where('n', '>', 0).execute())
        .map((row) => Object.values(row).join())
        .toSorted()
    await fileInsights(deps)
    const before = await stored()
    expect(before.length).toBeGreaterThan(4)
    await deps.db.updateTable('totals').set({ amount: 1 }).execute()
    expect(await differences()).not.toEqual([])
    expect(await rebuildInsights(deps)).toBeGreaterThan(6)
    expect(await stored()).toEqual(before)
    expect(await differences()).toEqual([])
  })

  it('are filed once by several processes at once', async () => {
    const merchant = await app.newMerchant()
    await Promise.all([1, 2, 3].map(() => pay(merchant, CARDS.approve)))
    await Promise.all([fileInsights(deps), fileInsights(deps), fileInsights(deps)])
    expect(await totals(merchant)).toMatchObject([{ payments: 3, gross: '37.50' }])
    expect(await differences()).toEqual([])
  })
})
