import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type {
  FollowUpOperation,
  Processor,
  ProcessorResponse,
  PaymentOperation,
} from '../../server/processors/port.ts'
import { signal } from '../processor-operation.ts'

type Approved = Extract<ProcessorResponse, { status: 'APPROVED' }>

/**
 * The half of the processor suite that is about money already taken or set aside: refunds,
 * captures and voids. `order` makes an order over 10.50 GBP that is going to
 * be approved, or skips the test.
 */
export function describeFollowUps(
  current: () => Processor,
  order: (skip: (note: string) => never) => Promise<PaymentOperation>,
): void {
  let processor: Processor
  beforeEach(() => {
    processor = current()
  })

  describe('refunds', () => {
    it('gives back in parts, and never more than was taken', async ({ skip }) => {
      const { partial_refund, multiple_refunds } = processor.capabilities
      if (!partial_refund || !multiple_refunds) skip(`${processor.name} refunds at once`)
      const { reference } = approved(await processor.pay(await order(skip)))
      approved(await processor.refund(following(reference, 1000)))
      refused(await processor.refund(following(reference, 51)))
      approved(await processor.refund(following(reference, 50)))
      refused(await processor.refund(following(reference, 1)))
    })

    it('gives back once for a key that is sent several times at once', async ({ skip }) => {
      const payment = approved(await processor.pay(await order(skip)))
      const refund = following(payment.reference, 1050)
      const answers = await Promise.all([1, 2, 3].map(() => processor.refund(refund)))
      for (const result of answers) expect(result).toEqual(answers[0])
      approved(answers[0])
      expect(await processor.query(refund.operation)).toEqual(answers[0])
    })

    it('lets one of two refunds win that together are too much', async ({ skip }) => {
      if (!processor.capabilities.partial_refund) skip(`${processor.name} refunds at once`)
      const payment = approved(await processor.pay(await order(skip)))
      const answers = await Promise.all(
        [600, 700].map((amount) => processor.refund(following(payment.reference, amount))),
      )
      expect(answers.filter((answer) => answer.status === 'APPROVED')).toHaveLength(1)
    })

    it('refuses to give back in another currency or for an unknown payment', async ({ skip }) => {
      const { reference } = approved(await processor.pay(await order(skip)))
      refused(await processor.refund({ ...following(reference, 10), currency: 'EUR' }))
      refused(await processor.refund(following(`${reference}x`, 10)))
    })
  })

  it('declines a refund, a capture and a void that arrive after they were cancelled', async ({
    skip,
  }) => {
    const paid = approved(await processor.pay(await order(skip)))
    const reserved = approved(await processor.authorize(await order(skip)))
    for (const [verb, reference] of [
      ['refund', paid.reference],
      ['capture', reserved.reference],
      ['void', reserved.reference],
    ] as const) {
      const operation = following(reference, 1050)
      const cancelled = await processor.cancel(operation.operation)
      expect(cancelled).toMatchObject({ status: 'DECLINED', code: 'CANCELLED' })
      expect(await processor[verb](operation)).toEqual(cancelled)
      expect(await processor.query(operation.operation)).toEqual(cancelled)
    }
    // Nothing of either was moved.
    approved(await processor.refund(following(paid.reference, 1050)))
    approved(await processor.capture(following(reserved.reference, 1050)))
  })

  describe('authorisations', () => {
    it('captures in parts, and never more than is set aside', async ({ skip }) => {
      const { partial_capture, multiple_captures } = processor.capabilities
      if (!partial_capture || !multiple_captures) skip(`${processor.name} captures at once`)
      const { reference } = approved(await processor.authorize(await order(skip)))
      const capture = approved(await processor.capture(following(reference, 1000)))
      refused(await processor.capture(following(reference, 51)))
      approved(await processor.capture(following(reference, 50)))
      refused(await processor.capture(following(reference, 1)))
      approved(await processor.refund(following(capture.reference, 1000)))
      refused(await processor.refund(following(capture.reference, 1)))
    })

    it('returns the time until which it can be captured', async ({ skip }) => {
      const result = approved(await processor.authorize(await order(skip)))
      expect(result.authorised_until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })

    it('captures nothing after the rest was given back', async ({ skip }) => {
      if (!processor.capabilities.void) skip(`${processor.name} cannot void`)
      const { reference } = approved(await processor.authorize(await order(skip)))
      const release = following(reference, 1050)
      const result = approved(await processor.void(release))
      expect(await processor.void(release)).toEqual(result)
      refused(await processor.capture(following(reference, 1)))
      refused(await processor.void(following(reference, 1)))
    })

    it('captures once for a key that is sent several times at once', async ({ skip }) => {
      const { reference } = approved(await processor.authorize(await order(skip)))
      const capture = following(reference, 1050)
      const answers = await Promise.all([1, 2, 3].map(() => processor.capture(capture)))
      for (const result of answers) expect(result).toEqual(answers[0])
      approved(answers[0])
    })
  })
}

function following(reference: string, amount: number): FollowUpOperation {
  return { operation: randomUUID(), reference, amount, currency: 'GBP', signal }
}

/** The answer, once it is known to be an approval; anything else fails the test. */
export function approved(
  answer: ProcessorResponse | { status: 'NOT_FOUND' } | undefined,
): Approved {
  expect(answer).toMatchObject({ status: 'APPROVED' })
  return answer as Approved
}

/** Expects that no money moved, and that the processor reports so. */
function refused(answer: ProcessorResponse): void {
  expect(['DECLINED', 'ERROR']).toContain(answer.status)
}
