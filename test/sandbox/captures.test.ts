import { describe, expect, it } from 'vitest'
import type { Scenario } from '../../server/processors/sandbox/scenarios.ts'
import { startTestApp } from '../app.ts'
import { cardNumberFor } from '../cards.ts'
import { sandboxRecord, type Json, errorSummary } from '../payments-client.ts'
import {
  type Course,
  QUERY_MS,
  DAYS_LATER_MS,
  REVIEW_MS,
  SETTLE_MS,
  openSandboxScenario,
} from './sandbox-scenario.ts'

const app = await startTestApp()
const { api, paymentsClient, later, read, follow } = openSandboxScenario(app)

/** A capture or void in the API at one moment. */
interface Moment {
  status: string
  gateway: [status: string, message: string | null]
  event: string
}
const success = (event: string): Moment => ({
  status: 'SUCCESS',
  gateway: ['APPROVED', null],
  event,
})
const pending = (event: string, message: string | null = null): Moment => ({
  status: 'PENDING',
  gateway: ['PENDING', message],
  event,
})
const failed = (status: string, event: string, message: string): Moment => ({
  status,
  gateway: ['DECLINED', message],
  event,
})
const unresolved: Moment = {
  status: 'UNRESOLVED',
  gateway: ['UNRESOLVED', null],
  event: 'capture.unresolved 2',
}
const CAPTURED = success('capture.success 3')
const notCaptured = (v: number, message: string) =>
  failed('DECLINE', `capture.decline ${v}`, message)
const capturing = (message?: string) => pending('capture.pending 2', message)
const REVIEW = 'The processor reviews this capture by hand.'

const CAPTURES: Record<
  Exclude<Extract<Scenario, `CAPTURE_${string}`>, 'CAPTURE_ONCE' | 'CAPTURE_WHOLE_ONLY'>,
  Course<Moment>
> = {
  CAPTURE_PENDING_THEN_SUCCESS: [capturing(), SETTLE_MS, CAPTURED],
  CAPTURE_PENDING_THEN_FAILURE: [
    capturing(),
    SETTLE_MS,
    notCaptured(3, 'The bank returned the capture.'),
  ],
  CAPTURE_DECLINE: [notCaptured(2, 'The bank declined the capture.')],
  CAPTURE_FAILURE_DAYS_LATER: [
    capturing(),
    DAYS_LATER_MS,
    notCaptured(3, 'The bank returned the capture.'),
  ],
  CAPTURE_REVIEW_THEN_SUCCESS: [capturing(REVIEW), REVIEW_MS, CAPTURED],
  CAPTURE_REVIEW_THEN_FAILURE: [
    capturing(REVIEW),
    REVIEW_MS,
    notCaptured(3, 'The review refused this capture.'),
  ],
  CAPTURE_TAKEN_WITHOUT_ANSWER: [unresolved, QUERY_MS, CAPTURED],
  CAPTURE_LOST_WITHOUT_ANSWER: [
    unresolved,
    QUERY_MS,
    notCaptured(3, 'The operation was cancelled before it was final.'),
  ],
}

const isOpen = ({ status }: Moment) => status === 'PENDING' || status === 'UNRESOLVED'

/** Compares a capture of 30.00 out of 100.00 and its authorization to what is to be said of them. */
async function expectCapture(auth: Json, id: string, moment: Moment, eventTypes: string[]) {
  const { status, gateway, event } = moment
  const isCounted = isOpen(moment) || status === 'SUCCESS'
  const [gateway_status, gateway_message] = gateway
  const capture = await paymentsClient.read(id)
  expect(capture).toMatchObject({
    type: 'CAPTURE',
    status,
    gateway_status,
    gateway_message,
    authorisation: auth.id,
    refundable_amount: status === 'SUCCESS' ? '30.00' : '0.00',
  })
  expect(capture.processed === null).toBe(isOpen(moment))
  expect(eventTypes).toEqual([event])
  expect(await paymentsClient.read(auth.id)).toMatchObject({
    status: 'SUCCESS',
    captured_amount: isCounted ? '30.00' : '0.00',
    open_amount: isCounted ? '70.00' : '100.00',
  })
  // For an unresolved capture, the refund queries the processor first, which may report success.
  if (status === 'PENDING')
    expect(errorSummary(await paymentsClient.refund(id))[1]).toBe('INVALID_STATE')
  if (isOpen(moment)) return
  const captured = status === 'SUCCESS' ? 3_000 : 0
  const books = await sandboxRecord(app, auth.gateway_reference)
  expect(books).toMatchObject({ reserved: 10_000, captured, released: 0, captures: captured })
}

describe('a capture of a sandbox card', () => {
  it.each(Object.entries(CAPTURES))('goes by its number: %s', async (scenario, course) => {
    const auth = await paymentsClient.authorise(cardNumberFor(scenario as Scenario))
    expect(auth.status).toBe('SUCCESS')
    const capture = async () => {
      const response = await paymentsClient.capture(auth.id, { amount: '30.00' })
      expect(response.status, response.text).toBe(200)
      return response.json.capture.id
    }
    await follow(course, capture, (...at) => expectCapture(auth, ...at))
  })

  it('that failed can be captured or released in its place', async () => {
    const auth = await paymentsClient.authorise(cardNumberFor('CAPTURE_PENDING_THEN_FAILURE'))
    await paymentsClient.capture(auth.id)
    expect(errorSummary(await paymentsClient.release(auth.id))[1]).toBe('INVALID_STATE')
    await later(SETTLE_MS)
    expect((await paymentsClient.release(auth.id)).json.void).toMatchObject({
      status: 'SUCCESS',
      amount: '100.00',
    })
    expect((await paymentsClient.read(auth.id)).status).toBe('VOIDED')
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 0,
      released: 10_000,
    })
  })

  it.each([
    ['CAPTURE_PENDING_THEN_SUCCESS', ['30.00', '0.00'], { captured: 3_000, released: 7_000 }],
    ['CAPTURE_PENDING_THEN_FAILURE', ['0.00', '100.00'], { captured: 0, released: 0 }],
  ] as const)('releases the rest of a final one once it succeeded: %s', async (...wanted) => {
    const [scenario, amounts, books] = wanted
    const auth = await paymentsClient.authorise(cardNumberFor(scenario))
    await paymentsClient.capture(auth.id, { amount: '30.00', final: true })
    expect((await paymentsClient.read(auth.id)).open_amount).toBe('70.00')
    await later(SETTLE_MS)
    const { captured_amount, open_amount } = await paymentsClient.read(auth.id)
    expect([captured_amount, open_amount]).toEqual(amounts)
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject(books)
  })
})

describe('a sandbox card that limits captures', () => {
  it('to one releases the rest with it, and refuses a second', async () => {
    const auth = await paymentsClient.authorise(cardNumberFor('CAPTURE_ONCE'), { alt_key: 'once' })
    expect((await paymentsClient.capture(auth.id, { amount: '30.00' })).json.capture.status).toBe(
      'SUCCESS',
    )
    expect(await paymentsClient.read(auth.id)).toMatchObject({
      captured_amount: '30.00',
      open_amount: '0.00',
    })
    expect(
      errorSummary(await paymentsClient.capture(auth.id, { amount: '1.00' })).slice(0, 2),
    ).toEqual([400, 'INVALID_STATE'])
    expect(errorSummary(await paymentsClient.capture('once', { amount: '1.00' }))[0]).toBe(404)
    expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
      captured: 3_000,
      released: 7_000,
      voids: 0,
    })
  })

  it('to the whole amount refuses a part', async () => {
    const auth = await paymentsClient.authorise(cardNumberFor('CAPTURE_WHOLE_ONLY'))
    expect(errorSummary(await paymentsClient.capture(auth.id, { amount: '99.99' }))).toEqual([
      400,
      'NOT_SUPPORTED',
      'sandbox captures the whole amount only',
    ])
    expect((await paymentsClient.capture(auth.id)).json.capture.status).toBe('SUCCESS')
  })
})

const VOIDS: Record<
  Exclude<Extract<Scenario, `VOID_${string}`>, 'VOID_UNSUPPORTED'>,
  Course<Moment>
> = {
  VOID_DECLINE: [failed('DECLINED', 'void.declined 2', 'The bank declined the void.')],
  VOID_PENDING_THEN_SUCCESS: [pending('void.pending 2'), SETTLE_MS, success('payment.voided 4')],
  VOID_PENDING_THEN_FAILURE: [
    pending('void.pending 2'),
    SETTLE_MS,
    failed('DECLINED', 'void.declined 3', 'The bank returned the void.'),
  ],
}

/** Compares a void of 100.00 and its authorization to what is to be said of them. */
async function expectVoid(auth: Json, id: string, moment: Moment, eventTypes: string[]) {
  const { status, gateway, event } = moment
  const [gateway_status, gateway_message] = gateway
  expect(await read('voids', id)).toMatchObject({ status, gateway_status, gateway_message })
  expect(eventTypes).toEqual([event])
  const isReleased = status === 'SUCCESS'
  expect(await paymentsClient.read(auth.id)).toMatchObject({
    status: isReleased ? 'VOIDED' : 'SUCCESS',
    open_amount: isReleased || isOpen(moment) ? '0.00' : '100.00',
  })
  if (isOpen(moment)) return
  const released = isReleased ? 10_000 : 0
  expect(await sandboxRecord(app, auth.gateway_reference)).toMatchObject({
    released,
    voids: released,
  })
}

describe('a void of a sandbox card', () => {
  it.each(Object.entries(VOIDS))('goes by its number: %s', async (scenario, course) => {
    const auth = await paymentsClient.authorise(cardNumberFor(scenario as Scenario))
    const release = async () => (await paymentsClient.release(auth.id)).json.void.id
    await follow(course, release, (...at) => expectVoid(auth, ...at))
  })

  it('that its processor does not support is refused, and a final capture releases nothing', async () => {
    const auth = await paymentsClient.authorise(cardNumberFor('VOID_UNSUPPORTED'))
    expect(errorSummary(await paymentsClient.release(auth.id))).toEqual([
      400,
      'NOT_SUPPORTED',
      'sandbox cannot void an authorization',
    ])
    await paymentsClient.capture(auth.id, { amount: '30.00', final: true })
    expect((await api(`/voids?criteria=payment=${auth.id}`)).json.meta.total).toBe(0)
  })
})
