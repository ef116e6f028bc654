import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeBetweenCalls } from './between-calls.ts'
import { approved, describeFollowUps } from './follow-ups.ts'
import { describeSetups } from './setups.ts'
import type { MethodScenario, ProcessorUnderTest } from './processor-under-test.ts'
import type {
  MethodCapabilities,
  MethodToCharge,
  PaymentOperation,
  Processor,
  ProcessorResponse,
} from '../../server/processors/port.ts'
import { ABOUT_PAYMENT } from '../processor-operation.ts'

/**
 * The suite that every adapter passes: what the payments code relies on to
 * take money once, and to find out what happened when no response came. Tests of situations that
 * an adapter cannot bring about, or of what its capabilities leave out, are skipped.
 */
export function describeProcessor(name: string, create: () => Promise<ProcessorUnderTest>): void {
  describe(`the processor ${name}`, () => {
    let subject: ProcessorUnderTest
    let processor: Processor

    beforeEach(async () => {
      subject = await create()
      processor = subject.processor
    })
    afterEach(() => subject.close?.())

    /** An order for a fresh method, or a skipped test where the adapter has none. */
    async function order(
      skip: (note: string) => never,
      scenario: MethodScenario,
      given: Partial<PaymentOperation> = {},
    ): Promise<PaymentOperation> {
      const method = await subject.method(scenario)
      if (method === undefined) skip(`${name} has no method for ${scenario}`)
      return {
        ...ABOUT_PAYMENT,
        operation: randomUUID(),
        merchant: 'ins_1893456000000_0a1b2c3d4e5f6g7h',
        amount: 1050,
        currency: 'GBP',
        method,
        store: false,
        return_url: 'http://127.0.0.1/return',
        ...given,
      }
    }

    function methodOf({ method }: PaymentOperation): MethodCapabilities {
      const found = processor.capabilities.methods.find(({ type }) => type === method.type)
      if (!found) throw new Error(`${name} has no ${method.type}`)
      return found
    }

    it('approves a payment with a reference', async ({ skip }) => {
      const result = await processor.pay(await order(skip, 'APPROVE'))
      expect(approved(result).reference).not.toBe('')
    })

    it('declines with a code and a message', async ({ skip }) => {
      const result = await processor.pay(await order(skip, 'DECLINE'))
      expect(result).toMatchObject({ status: 'DECLINED', code: expect.stringMatching(/^[A-Z_]+$/) })
    })

    it('gives the same answer to the same key', async ({ skip }) => {
      for (const scenario of ['APPROVE', 'DECLINE'] as const) {
        const payment = await order(skip, scenario)
        expect(await processor.pay(payment)).toEqual(await processor.pay(payment))
      }
    })

    it('gives one answer to a key that is sent several times at once', async ({ skip }) => {
      const payment = await order(skip, 'APPROVE')
      const answers = await Promise.all([1, 2, 3, 4].map(() => processor.pay(payment)))
      for (const result of answers) expect(result).toEqual(answers[0])
      approved(answers[0])
    })

    it('rejects a repeated key with another amount', async ({ skip }) => {
      const payment = await order(skip, 'APPROVE')
      const first = await processor.pay(payment)
      const second = await processor.pay({ ...payment, amount: payment.amount + 1 })
      expect(second.status).toBe('ERROR')
      expect(await processor.query(payment.operation)).toEqual(first)
    })

    it('answers a query as it answered the operation', async ({ skip }) => {
      for (const scenario of ['APPROVE', 'DECLINE'] as const) {
        const payment = await order(skip, scenario)
        const result = await processor.pay(payment)
        expect(await processor.query(payment.operation)).toEqual(result)
      }
    })

    it('returns NOT_FOUND for an unknown key', async () => {
      expect(await processor.query(randomUUID())).toEqual({ status: 'NOT_FOUND' })
    })

    it('declines an operation that arrives after it was cancelled', async ({ skip }) => {
      const payment = await order(skip, 'APPROVE')
      const tombstone = { status: 'DECLINED', code: 'CANCELLED' }
      expect(await processor.cancel(payment.operation)).toMatchObject(tombstone)
      expect(await processor.pay(payment)).toMatchObject(tombstone)
      expect(await processor.query(payment.operation)).toMatchObject(tombstone)
    })

    it('gives a payment and its cancellation one outcome when they come at once', async ({
      skip,
    }) => {
      for (let round = 0; round < 5; round += 1) {
        const payment = await order(skip, 'APPROVE')
        const calls = [
          () => processor.pay(payment),
          () => processor.cancel(payment.operation),
        ] as const
        const begun = round % 2 === 0 ? calls : calls.toReversed()
        const [first, second] = await Promise.all(begun.map((call) => call()))
        expect(first).toEqual(second)
        expect(await processor.query(payment.operation)).toEqual(first)
      }
    })

    it('returns APPROVED when a cancellation comes too late', async ({ skip }) => {
      const payment = await order(skip, 'APPROVE')
      const result = await processor.pay(payment)
      expect(await processor.cancel(payment.operation)).toEqual(approved(result))
      expect(await processor.query(payment.operation)).toEqual(result)
    })

    it('keeps a decline declined when it is cancelled', async ({ skip }) => {
      const payment = await order(skip, 'DECLINE')
      const result = await processor.pay(payment)
      expect(await processor.cancel(payment.operation)).toEqual(result)
    })

    it('never repeats a number or a security code', async ({ skip }) => {
      for (const scenario of ['APPROVE', 'DECLINE'] as const) {
        const payment = await order(skip, scenario, { store: true })
        const answers = [await processor.pay(payment), await processor.query(payment.operation)]
        for (const secret of subject.secrets) {
          expect(JSON.stringify(answers)).not.toContain(secret)
        }
      }
    })

    it('lets a stored method be used again, and an unstored one not', async ({ skip }) => {
      const first = await order(skip, 'APPROVE', { store: true })
      const result = approved(await processor.pay(first))
      const { token } = result.stored ?? skip(`${name} did not store the method`)
      const again: MethodToCharge = {
        kind: 'STORED',
        type: first.method.type,
        token,
      }
      for (const amount of [100, 200]) {
        const payment = { ...first, operation: randomUUID(), amount, method: again, store: false }
        approved(await processor.pay(payment))
      }
      const reused = await processor.pay({ ...first, operation: randomUUID() })
      expect(reused).toMatchObject({ status: 'DECLINED', code: 'INVALID_METHOD' })
    })

    it('stores nothing unless it is asked to', async ({ skip }) => {
      const result = await processor.pay(await order(skip, 'APPROVE'))
      expect(approved(result).stored).toBeUndefined()
    })

    it('reports a payment whose response was lost', async ({ skip }) => {
      const payment = await order(skip, 'TAKEN_WITHOUT_ANSWER')
      await expect(processor.pay(payment)).rejects.toThrow()
      const result = approved(await processor.query(payment.operation))
      expect(await processor.pay(payment)).toEqual(result)
    })

    it('can bury a payment that never arrived', async ({ skip }) => {
      const payment = await order(skip, 'LOST_WITHOUT_ANSWER')
      await expect(processor.pay(payment)).rejects.toThrow()
      expect(await processor.query(payment.operation)).toEqual({ status: 'NOT_FOUND' })
      expect(await processor.cancel(payment.operation)).toMatchObject({ code: 'CANCELLED' })
      expect(await processor.pay(payment)).toMatchObject({ code: 'CANCELLED' })
    })

    describe('when the outcome comes later', () => {
      it.for([
        ['PENDING_THEN_SUCCESS', 'APPROVED'],
        ['PENDING_THEN_FAILURE', 'DECLINED'],
      ] as const)('%s ends as %s', async ([scenario, end], { skip }) => {
        const payment = await order(skip, scenario)
        const settle = subject.settle ?? skip(`${name} cannot let time pass`)
        const result = await processor.pay(payment)
        expect(result).toMatchObject({ status: 'PENDING', check_after_ms: expect.any(Number) })
        expect(await processor.query(payment.operation)).toMatchObject({ status: 'PENDING' })
        await settle()
        const settled = await processor.query(payment.operation)
        expect(settled.status).toBe(end)
        expect(await processor.query(payment.operation)).toEqual(settled)
        expect(await processor.pay(payment)).toEqual(settled)
      })

      it('does not settle what was cancelled in time', async ({ skip }) => {
        const payment = await order(skip, 'PENDING_THEN_SUCCESS')
        const settle = subject.settle ?? skip(`${name} cannot let time pass`)
        await processor.pay(payment)
        const cancelled = await processor.cancel(payment.operation)
        const { cancel } = methodOf(payment)
        expect(cancelled).toMatchObject(
          cancel === 'ALWAYS' ? { status: 'DECLINED', code: 'CANCELLED' } : { status: 'PENDING' },
        )
        await settle()
        const settled = await processor.query(payment.operation)
        if (cancel === 'ALWAYS') expect(settled).toEqual(cancelled)
        // It could not be ended, so the money is there.
        else approved(settled)
      })

      it('returns APPROVED when it is canceled after it has settled', async ({ skip }) => {
        const payment = await order(skip, 'PENDING_THEN_SUCCESS')
        const settle = subject.settle ?? skip(`${name} cannot let time pass`)
        await processor.pay(payment)
        await settle()
        approved(await processor.cancel(payment.operation))
      })
    })

    describe('when the payer has to confirm', () => {
      it.for([
        ['approve', { status: 'APPROVED' }],
        ['decline', { status: 'DECLINED', code: 'AUTHENTICATION_FAILED' }],
      ] as const)('follows the choice to %s', async ([choice, end], { skip }) => {
        const payment = await order(skip, 'CHALLENGE')
        const confirm = subject.confirm ?? skip(`${name} cannot play the payer`)
        const result = await processor.pay(payment)
        expect(await processor.pay(payment)).toEqual(result)
        await confirm(action(result).url, choice)
        expect(await processor.query(payment.operation)).toMatchObject(end)
      })

      it('takes no money when the payer approves after a cancellation', async ({ skip }) => {
        const payment = await order(skip, 'CHALLENGE')
        const confirm = subject.confirm ?? skip(`${name} cannot play the payer`)
        const { url } = action(await processor.pay(payment))
        const cancelled = await processor.cancel(payment.operation)
        expect(cancelled).toMatchObject({ status: 'DECLINED', code: 'CANCELLED' })
        await confirm(url, 'approve')
        expect(await processor.query(payment.operation)).toEqual(cancelled)
      })
    })

    describeSetups(() => subject)
    describeBetweenCalls(() => subject, order)
    describeFollowUps(
      () => subject.processor,
      (skip) => order(skip, 'APPROVE'),
    )
  })
}

function action(answer: ProcessorResponse): Extract<ProcessorResponse, { status: 'ACTION' }> {
  expect(answer).toMatchObject({ status: 'ACTION', url: expect.stringMatching(/^https?:/) })
  return answer as Extract<ProcessorResponse, { status: 'ACTION' }>
}
