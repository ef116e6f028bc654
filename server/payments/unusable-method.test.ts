import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  DAY_MS,
  type Json,
  errorSummary,
  chargedDuring,
  recordedEvents,
} from '../../test/payments-client.ts'
import { cardToken, newLink, openPayerClient } from '../../test/payer-client.ts'

/** Stored methods that expired, or were removed before that was refused: none of them is tried. */

const { app, deps, api, client, later, saveCard } = await startPaymentsApp()
const { inDays, readCharge, putContract, setMethod } = testCharges(app)

/** How many payments the sandbox received, declined ones included. */
async function asked(act: () => Promise<unknown>): Promise<number> {
  const count = async () =>
    (
      await deps.db
        .withTables<{ sandbox_operations: { operation: string } }>()
        .selectFrom('sandbox_operations')
        .select('operation')
        .execute()
    ).length
  const before = await count()
  await act()
  return (await count()) - before
}
/** The card was good until the end of last month. */
const expire = (method: string) => setMethod(method, { exp_month: 4, exp_year: 2030 })
/** As it could be removed in earlier releases, although something is collected from it. */
const removeAsBefore = (method: string) =>
  setMethod(method, { status: 'REMOVED', dedupe_key: null })
async function expiredCard() {
  const stored = await client.storeCard()
  await expire(stored.method)
  return stored
}
const declines = async (method: string): Promise<Json[]> =>
  (await recordedEvents(app))
    .filter(
      ({ type, data }) => type === 'payment.decline' && data.payment.payment_method === method,
    )
    .map(({ data }) => data.payment)

describe('an expired card', () => {
  it.each([
    ['taken', {}],
    ['authorized', { action: 'AUTH' }],
    ['planned', { due: '2031-01-01T00:00:00Z' }],
    ['planned again and again', { recurring: { frequency: 'MONTH' } }],
  ])('is refused where money is %s', async (_, more) => {
    const { method } = await expiredCard()
    const sent = { amount: '10.00', currency: 'EUR', payment_method: method, ...more }
    expect(
      await asked(async () => {
        expect(errorSummary(await client.send(sent))).toEqual(
          refusal('INVALID_REQUEST', 'payment.payment_method has expired'),
        )
      }),
    ).toBe(0)
  })

  it('is neither shown to a payer nor charged by its id', async () => {
    const { account, method } = await expiredCard()
    const link = await newLink(app.merchant, { amount: '2.00', account })
    const payer = await openPayerClient(app, link.id)
    expect(payer.checkout.saved_methods).toEqual([])
    expect(
      await asked(async () => {
        const response = await payer.submit({ payment_method: { id: method, csc: '123' } })
        expect(errorSummary(response)).toEqual(
          refusal('INVALID_REQUEST', 'payment_method.id is not a saved method of this checkout'),
        )
      }),
    ).toBe(0)
  })

  it('is refused as a contract’s method', async () => {
    const { account, method } = await client.storeCard()
    const { contract } = await client.pay(undefined, {
      payment_method: method,
      recurring: { frequency: 'MONTH' },
    })
    const other = await saveCard(account)
    await expire(other)
    expect(errorSummary(await putContract(contract, { payment_method: other }))).toEqual(
      refusal('INVALID_REQUEST', 'contract.payment_method has expired'),
    )
    await api(`/contracts/${contract}`, { method: 'DELETE' })
  })

  it('is usable until its month ends in UTC', async () => {
    const { method } = await client.storeCard()
    await setMethod(method, { exp_month: 5, exp_year: 2030 })
    expect(new Date(app.now()).toISOString()).toContain('2030-05-')
    expect((await client.pay(undefined, { payment_method: method })).status).toBe('SUCCESS')
  })
})

describe.each([
  ['expired card', expire, 'The card has expired.'],
  ['removed method', removeAsBefore, 'The payment method was removed.'],
] as const)('a collection from an %s', (_, spoil, message) => {
  it('is declined without a call to the processor and retried like other declines', async () => {
    const { method } = await client.storeCard()
    const announced = await client.pay(undefined, { payment_method: method, due: inDays(1) })
    await spoil(method)
    expect(await asked(() => later(DAY_MS))).toBe(0)
    expect(await client.read(announced.id)).toMatchObject({
      status: 'DECLINE',
      gateway_status: 'DECLINED',
      gateway_message: message,
      payment_method: method,
    })
    expect(await readCharge(announced.charge)).toMatchObject({
      status: 'ACTIVE',
      paid_amount: '0.00',
      attempts: 1,
      next_attempt: inDays(1),
    })
    expect(await declines(method)).toMatchObject([{ id: announced.id, gateway_message: message }])
    expect(await asked(() => later(DAY_MS))).toBe(0)
    expect(await declines(method)).toHaveLength(2)
  })

  it('of a contract is recorded each time and ends when the contract gets another method', async () => {
    const { account, method } = await client.storeCard()
    const { contract } = await client.pay(undefined, {
      payment_method: method,
      recurring: { frequency: 'DAY', count: 3 },
    })
    await spoil(method)
    expect(await asked(() => later(DAY_MS))).toBe(0)
    expect(await declines(method)).toMatchObject([{ contract, gateway_message: message }])
    const other = await saveCard(account)
    expect((await putContract(contract, { payment_method: other })).status).toBe(200)
    // The charge that was declined, and the one that falls due.
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000, 1_000])
    expect((await api(`/contracts/${contract}`)).json.contract).toMatchObject({
      status: 'ENDED',
      charges_paid: 3,
    })
  })
})

it('a collection that was declined because the card had expired succeeds once the card is renewed', async () => {
  const { account, method } = await client.storeCard()
  const announced = await client.pay(undefined, { payment_method: method, due: inDays(1) })
  await expire(method)
  expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([])
  const token = await cardToken(app, CARDS.approve, { exp_month: 1, exp_year: 2040 })
  const renewed = await client.pay(undefined, { account, payment_method: { token, save: true } })
  expect(renewed.payment_method).toBe(method)
  expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
  expect(await readCharge(announced.charge)).toMatchObject({ status: 'PAID', attempts: 2 })
})
