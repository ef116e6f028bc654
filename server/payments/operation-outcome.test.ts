import { describe, expect, it } from 'vitest'
import type { ProcessorResponse } from '../processors/port.ts'
import { DECLINED, DOWN, refusal, startPaymentsApp } from '../../test/payments-app.ts'
import { type Json, sandboxRecord, errorSummary, eventsDuring } from '../../test/payments-client.ts'

/** What becomes of a capture, a refund or a void, as the processor says. */

const { app, api, client, later, bend, removeProcessor, ...kit } = await startPaymentsApp()

const authorise = () => client.authorise()
/** An operation of 60 % on a new payment, or of all with a void, and what is left of it then. */
const OPERATIONS = [
  {
    verb: 'capture',
    prepare: authorise,
    make: ({ id }: Json) => kit.captured(id, { amount: '60.00' }),
    left: { made: '40.00', failed: '100.00' },
    failed: 'DECLINE',
    nulls: { amount: null, alt_key: null, description: null },
    succeeds: 'capture.success',
    books: 6_000,
  },
  {
    verb: 'refund',
    prepare: () => client.pay(),
    make: ({ id }: Json) => kit.refunded(id, { amount: '6.00' }),
    left: { made: '4.00', failed: '10.00' },
    failed: 'DECLINED',
    nulls: { amount: null, reason: null, reference: null, parts: null },
    succeeds: 'refund.success',
    books: 600,
  },
  {
    verb: 'void',
    prepare: authorise,
    make: ({ id }: Json) => kit.released(id),
    left: { made: '0.00', failed: '100.00' },
    failed: 'DECLINED',
    nulls: {},
    succeeds: 'payment.voided',
    books: 10_000,
  },
] as const

const eventOf = (verb: string, status: string) => `${verb}.${status.toLowerCase()}`
const waiting = (ms: number): ProcessorResponse => ({
  status: 'PENDING',
  reference: 'r',
  check_after_ms: ms,
})

describe.each(OPERATIONS)('a $verb', (operation) => {
  const { verb, prepare, make, left, failed, nulls, succeeds, books } = operation
  const read = async ({ id }: Json) => (await api(`/${verb}s/${id}`)).json[verb]
  const leftOf = async ({ id }: Json) => {
    const { type, open_amount, refundable_amount } = await client.read(id)
    return type === 'AUTH' ? open_amount : refundable_amount
  }
  const booked = async ({ gateway_reference }: Json) =>
    (await sandboxRecord(app, gateway_reference))[`${verb}s`]
  /** The version that an event shows: of the operation, or of the authorization that was voided. */
  const versioned = (event: string, v: number) => `${event} ${event === 'payment.voided' ? 4 : v}`

  it.each([
    ['APPROVED', { status: 'APPROVED', reference: 'r' }, 'SUCCESS', 'APPROVED', null],
    ['PENDING', waiting(60_000), 'PENDING', 'PENDING', null],
    ['DECLINED', DECLINED, failed, 'DECLINED', 'No'],
    ['ERROR', DOWN, failed, 'DECLINED_ERROR', 'Down'],
    ['lost', 'REQUEST LOST', 'UNRESOLVED', 'UNRESOLVED', null],
  ] as const)(
    'with an answer that is %s is recorded with its event',
    async (_what, fate, status, gateway_status, gateway_message) => {
      const payment = await prepare()
      bend(verb, fate)
      const isOpen = status === 'PENDING' || status === 'UNRESOLVED'
      const events = await eventsDuring(app, async () => {
        const record = await make(payment)
        expect(record).toMatchObject({ status, gateway_status, gateway_message, v: 2 })
        expect(record.processed).toBe(isOpen ? null : record.created)
        expect(await read(record)).toEqual(record)
      })
      const event = status === 'SUCCESS' ? succeeds : eventOf(verb, status)
      expect(events).toEqual([versioned(event, 2)])
      expect(await leftOf(payment)).toBe(status === failed ? left.failed : left.made)
      // Nothing that is open stays behind for the next test.
      await later(60_000)
    },
  )

  it.each([
    ['ANSWER LOST', 'SUCCESS', succeeds, left.made, books],
    ['REQUEST LOST', failed, eventOf(verb, failed), left.failed, 0],
  ] as const)('with its %s is settled to %s', async (fate, status, event, amount, total) => {
    const payment = await prepare()
    bend(verb, fate)
    const record = await make(payment)
    expect(record).toMatchObject({ status: 'UNRESOLVED', processed: null })
    expect(await leftOf(payment)).toBe(left.made)
    await later(4_999)
    expect((await read(record)).v).toBe(2)
    expect(await eventsDuring(app, () => later(1))).toEqual([versioned(event, 3)])
    expect(await read(record)).toMatchObject({ status, v: 3 })
    expect(await leftOf(payment)).toBe(amount)
    expect(await booked(payment)).toBe(total)
    expect(await eventsDuring(app, () => later(86_400_000))).toEqual([])
  })

  it('that is PENDING reserves its amount until it is declined', async () => {
    const payment = await prepare()
    bend(verb, waiting(1_000))
    bend('query', { ...DECLINED, message: 'Late' })
    const record = await make(payment)
    expect(record).toMatchObject({ status: 'PENDING', processed: null })
    const tooMuch = verb === 'refund' ? client.refund(payment.id, { amount: '4.01' }) : undefined
    const refused = await (tooMuch ?? client.capture(payment.id, { amount: '40.01' }))
    expect(errorSummary(refused)[1]).toBe('INVALID_STATE')
    await later(1_000)
    expect(await read(record)).toMatchObject({ status: failed, gateway_message: 'Late' })
    expect(await leftOf(payment)).toBe(left.failed)
  })

  it.each([
    ['no body', {}],
    ['an empty object', { body: {} }],
    ['null', { body: { [verb]: null } }],
    ['no members', { body: { [verb]: {} } }],
    ['nulls', { body: { [verb]: nulls } }],
  ])('sent with %s is of all that is left', async (_what, call) => {
    const payment = await prepare()
    const response = await api(`/payments/${payment.id}/${verb}`, { method: 'POST', ...call })
    expect(response.json[verb]).toMatchObject({ status: 'SUCCESS', amount: left.failed })
  })

  it('is refused while its processor is not configured, and changes nothing', async () => {
    const payment = await prepare()
    const restore = removeProcessor()
    const response = await api(`/payments/${payment.id}/${verb}`, { method: 'POST' })
    restore()
    expect(errorSummary(response)).toEqual(
      refusal('INVALID_STATE', 'The processor of the payment is not configured'),
    )
    expect(await client.read(payment.id)).toEqual(payment)
  })
})

it('a refund without the method is INVALID_PAYMENT_METHOD', async () => {
  const payment = await client.pay()
  bend('refund', { ...DECLINED, code: 'INVALID_METHOD' })
  const events = await eventsDuring(app, async () => {
    expect(await kit.refunded(payment.id)).toMatchObject({
      status: 'INVALID_PAYMENT_METHOD',
      gateway_status: 'DECLINED',
      gateway_message: 'No',
    })
  })
  expect(events).toEqual(['refund.declined 2'])
  expect((await client.read(payment.id)).refundable_amount).toBe('10.00')
})
