import { describe, expect, it } from 'vitest'
import { TEST_ACCOUNTS } from '../../server/processors/sandbox/test-cards.ts'
import type { Scenario } from '../../server/processors/sandbox/scenarios.ts'
import { startTestApp } from '../app.ts'
import { cardNumberFor } from '../cards.ts'
import { sandboxRecord, type Json, errorSummary } from '../payments-client.ts'
import { newLink, openPayerClient, readLink } from '../payer-client.ts'
import {
  type Course,
  QUERY_MS,
  DAYS_LATER_MS,
  REVIEW_MS,
  SETTLE_MS,
  openSandboxScenario,
} from './sandbox-scenario.ts'

const app = await startTestApp()
const { api, paymentsClient, later, read, collect, follow } = openSandboxScenario(app)

/** A refund of 6.00 out of 10.00 in the API at one moment. */
interface Moment {
  refund: [status: string, gatewayStatus: string, message: string | null]
  /** Of the event, with the version of the refund. */
  event: string
}
const success = (v: number): Moment => ({
  refund: ['SUCCESS', 'APPROVED', null],
  event: `refund.success ${v}`,
})
const pending = (message: string | null = null): Moment => ({
  refund: ['PENDING', 'PENDING', message],
  event: 'refund.pending 2',
})
const declined = (v: number, message: string, status = 'DECLINED'): Moment => ({
  refund: [status, 'DECLINED', message],
  event: `refund.declined ${v}`,
})
const unresolved: Moment = {
  refund: ['UNRESOLVED', 'UNRESOLVED', null],
  event: 'refund.unresolved 2',
}
const REVIEW = 'The processor reviews this refund by hand.'
const RETURNED = 'The bank returned the refund.'

const COURSES: Record<
  Exclude<
    Extract<Scenario, `REFUND_${string}`>,
    'REFUND_WHOLE_ONLY' | 'REFUND_ONCE' | 'REFUND_BY_HAND'
  >,
  Course<Moment>
> = {
  REFUND_PENDING_THEN_SUCCESS: [pending(), SETTLE_MS, success(3)],
  REFUND_PENDING_THEN_FAILURE: [pending(), SETTLE_MS, declined(3, RETURNED)],
  REFUND_DECLINE: [declined(2, 'The bank declined the refund.')],
  REFUND_FAILURE_DAYS_LATER: [pending(), DAYS_LATER_MS, declined(3, RETURNED)],
  REFUND_REVIEW_THEN_SUCCESS: [pending(REVIEW), REVIEW_MS, success(3)],
  REFUND_REVIEW_THEN_FAILURE: [
    pending(REVIEW),
    REVIEW_MS,
    declined(3, 'The review refused this refund.'),
  ],
  REFUND_CARD_CLOSED: [declined(2, 'The card has been closed.', 'INVALID_PAYMENT_METHOD')],
  REFUND_TAKEN_WITHOUT_ANSWER: [unresolved, QUERY_MS, success(3)],
  REFUND_LOST_WITHOUT_ANSWER: [
    unresolved,
    QUERY_MS,
    declined(3, 'The operation was cancelled before it was final.'),
  ],
}

const isOpen = ({ refund: [status] }: Moment) => status === 'PENDING' || status === 'UNRESOLVED'

/** Compares the refund with its payment, charges, events and the sandbox's ledger. */
async function expectMoment(
  payment: Json,
  id: string,
  { refund, event }: Moment,
  eventTypes: string[],
) {
  const [status, gateway_status, gateway_message] = refund
  const isDecided = !isOpen({ refund, event })
  const isGiven = status === 'SUCCESS'
  const isCounted = isGiven || !isDecided
  const record = await read('refunds', id)
  expect(record).toMatchObject({ status, gateway_status, gateway_message, manual: false })
  expect(record.processed === null).toBe(!isDecided)
  expect(eventTypes.filter((type) => type.startsWith('refund.'))).toEqual([event])
  expect(await paymentsClient.read(payment.id)).toMatchObject({
    status: 'SUCCESS',
    refunded_amount: isCounted ? '6.00' : '0.00',
    refundable_amount: isCounted ? '4.00' : '10.00',
  })
  expect(await read('charges', payment.charge)).toMatchObject({
    status: 'PAID',
    paid_amount: '10.00',
    outstanding_amount: '0.00',
    refunded_amount: isGiven ? '6.00' : '0.00',
  })
  if (!isDecided) return
  const refunded = isGiven ? 600 : 0
  expect(await sandboxRecord(app, payment.gateway_reference)).toMatchObject({
    amount: 1_000,
    refunded: refunded,
    refunds: refunded,
  })
}

describe('a refund of a sandbox card', () => {
  it.each(Object.entries(COURSES))('goes by its number: %s', async (scenario, course) => {
    const payment = await collect(cardNumberFor(scenario as Scenario))
    expect(payment.status).toBe('SUCCESS')
    const refund = async () => {
      const response = await paymentsClient.refund(payment.id, { amount: '6.00' })
      expect(response.status, response.text).toBe(200)
      return response.json.refund.id
    }
    await follow(course, refund, (...at) => expectMoment(payment, ...at))
  })

  it('that failed can be sent again, and holds nothing back', async () => {
    const payment = await paymentsClient.pay(cardNumberFor('REFUND_PENDING_THEN_FAILURE'))
    await paymentsClient.refund(payment.id)
    expect(errorSummary(await paymentsClient.refund(payment.id))).toEqual([
      400,
      'INVALID_STATE',
      'Payment has nothing left to refund',
    ])
    await later(SETTLE_MS)
    const { refund } = (await paymentsClient.refund(payment.id)).json
    expect(refund).toMatchObject({ status: 'PENDING', amount: '10.00' })
    await later(SETTLE_MS)
    expect((await paymentsClient.read(payment.id)).refundable_amount).toBe('10.00')
  })

  it('of a capture goes by the number of the card that was authorized', async () => {
    const auth = await paymentsClient.authorise(cardNumberFor('REFUND_REVIEW_THEN_FAILURE'))
    const { capture } = (await paymentsClient.capture(auth.id, { amount: '10.00' })).json
    const { refund } = (await paymentsClient.refund(capture.id)).json
    expect(refund).toMatchObject({ status: 'PENDING', gateway_message: REVIEW })
    await later(REVIEW_MS)
    expect((await read('refunds', refund.id)).status).toBe('DECLINED')
    expect(await paymentsClient.read(capture.id)).toMatchObject({
      status: 'SUCCESS',
      refundable_amount: '10.00',
    })
  })

  it('leaves a link paid and its session completed, also when it fails', async () => {
    const link = await newLink(app.merchant, { amount: '10.00' })
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(cardNumberFor('REFUND_PENDING_THEN_FAILURE'))
    const { payment } = await readLink(app.merchant, link.id, 'payment')
    for (const [wait, status, left] of [
      [0, 'PENDING', '0.00'],
      [SETTLE_MS, 'DECLINED', '10.00'],
    ] as const) {
      if (wait === 0) await paymentsClient.refund(payment.id)
      await later(wait)
      const { refunds } = (await api(`/refunds?criteria=payment=${payment.id}`)).json
      expect(refunds).toMatchObject([{ status }])
      const read_ = await readLink(app.merchant, link.id, 'payment')
      expect(read_.status).toBe('PAYMENT_SUCCESS')
      expect(read_.payment).toMatchObject({ status: 'SUCCESS', refundable_amount: left })
      expect((await payer.current()).json.checkout.status).toBe('COMPLETED')
    }
  })
})

describe('a sandbox card that limits refunds', () => {
  it('of the whole amount only rejects a part before the processor is called', async () => {
    const payment = await paymentsClient.pay(cardNumberFor('REFUND_WHOLE_ONLY'))
    expect(errorSummary(await paymentsClient.refund(payment.id, { amount: '9.99' }))).toEqual([
      400,
      'NOT_SUPPORTED',
      'sandbox refunds the whole amount only',
    ])
    expect((await paymentsClient.refund(payment.id)).json.refund.status).toBe('SUCCESS')
  })

  it('to one refuses the second, but not one that is made offline', async () => {
    const payment = await paymentsClient.pay(cardNumberFor('REFUND_ONCE'))
    expect((await paymentsClient.refund(payment.id, { amount: '1.00' })).json.refund.status).toBe(
      'SUCCESS',
    )
    expect(errorSummary(await paymentsClient.refund(payment.id, { amount: '1.00' }))).toEqual([
      400,
      'NOT_SUPPORTED',
      'sandbox refunds a payment once',
    ])
    const offline = await paymentsClient.refund(payment.id, { amount: '1.00', offline: true })
    expect(offline.json.refund.status).toBe('SUCCESS')
    expect((await sandboxRecord(app, payment.gateway_reference)).refunded).toBe(100)
  })

  it('counts those of each capture', async () => {
    const auth = await paymentsClient.authorise(cardNumberFor('REFUND_ONCE'))
    for (const amount of ['10.00', '20.00']) {
      const { capture } = (await paymentsClient.capture(auth.id, { amount })).json
      expect((await paymentsClient.refund(capture.id, { amount: '1.00' })).status).toBe(200)
      expect(errorSummary(await paymentsClient.refund(capture.id, { amount: '1.00' }))[1]).toBe(
        'NOT_SUPPORTED',
      )
    }
  })

  it.each(['SUCCESS', 'DECLINED'])('to those made by hand waits for %s', async (status) => {
    const payment = await paymentsClient.pay(cardNumberFor('REFUND_BY_HAND'))
    const { refund } = (await paymentsClient.refund(payment.id, { amount: '6.00' })).json
    expect(refund).toMatchObject({ status: 'PENDING', gateway_status: 'MANUAL', manual: true })
    await later(DAYS_LATER_MS)
    expect(await read('refunds', refund.id)).toEqual(refund)
    await api(`/refunds/${refund.id}`, { method: 'PUT', body: { refund: { status } } })
    expect((await read('refunds', refund.id)).status).toBe(status)
    const left = status === 'SUCCESS' ? '4.00' : '10.00'
    expect((await paymentsClient.read(payment.id)).refundable_amount).toBe(left)
  })

  it('does not limit payments with other cards', async () => {
    const payment = await paymentsClient.pay()
    for (const amount of ['1.00', '2.00']) {
      expect((await paymentsClient.refund(payment.id, { amount })).json.refund.status).toBe(
        'SUCCESS',
      )
    }
  })
})

describe('a refund of a sandbox account', () => {
  it.each([
    ['DEBIT_REFUND_PENDING_THEN_SUCCESS', 'SUCCESS', '0.00'],
    ['DEBIT_REFUND_PENDING_THEN_FAILURE', 'DECLINED', '10.00'],
  ])('goes by its IBAN: %s', async (scenario, status, left) => {
    const [iban] = Object.entries(TEST_ACCOUNTS).find(([, does]) => does === scenario) ?? []
    const { token } = (
      await app.call('/sandbox/tokens', { body: { bank_account: { iban, holder: 'Ada' } } })
    ).json
    const account = { crm_key: scenario }
    const payment_method = { token, type: 'DIRECT_DEBIT', save: true }
    const payment = await paymentsClient.pay(undefined, { account, payment_method })
    expect(payment.status).toBe('PENDING')
    await later(SETTLE_MS)
    const { refund } = (await paymentsClient.refund(payment.id)).json
    expect(refund.status).toBe('PENDING')
    await later(SETTLE_MS)
    expect((await read('refunds', refund.id)).status).toBe(status)
    expect((await paymentsClient.read(payment.id)).refundable_amount).toBe(left)
  })
})
