import { beforeEach, describe, expect, it } from 'vitest'
import type { PaymentOperation } from '../../server/processors/port.ts'
import { approved } from './follow-ups.ts'
import type { CallsUnderTest, MethodScenario, ProcessorUnderTest } from './under-test.ts'

type NewOrder = (
  skip: (note: string) => never,
  scenario: MethodScenario,
  given?: Partial<PaymentOperation>,
) => Promise<PaymentOperation>

/** The part of the processor suite about what is true between the calls of one payment. */
export function describeBetweenCalls(current: () => ProcessorUnderTest, order: NewOrder): void {
  describe('between the calls of a payment', () => {
    let calls: CallsUnderTest
    beforeEach(({ skip }) => {
      calls = current().calls ?? skip(`${current().processor.name} takes one call for a payment`)
    })

    it('moves money only after its journal has stored the operation', async ({ skip }) => {
      const payment = await order(skip, 'APPROVE')
      const before = calls.taken()
      const seen: number[] = []
      const processor = calls.withJournal((journal) => ({
        ...journal,
        async begin(...entry) {
          seen.push(calls.taken())
          const stored = await journal.begin(...entry)
          seen.push(calls.taken())
          return stored
        },
      }))
      approved(await processor.pay(payment))
      expect(seen).toEqual([before, before])
      expect(calls.taken()).toBe(before + payment.amount)
    })

    it('takes nothing when its journal cannot store the operation', async ({ skip }) => {
      const payment = await order(skip, 'APPROVE')
      const before = calls.taken()
      const processor = calls.withJournal((journal) => ({
        ...journal,
        begin: () => Promise.reject(new Error('the disk is full')),
      }))
      await expect(processor.pay(payment)).rejects.toThrow('the disk is full')
      expect(calls.taken()).toBe(before)
    })

    it.for(['pay', 'authorize'] as const)(
      'takes nothing when a %s is canceled before it has begun',
      async (verb, { skip }) => {
        const payment = await order(skip, 'APPROVE')
        const before = [calls.taken(), calls.confirmable()]
        const processor = calls.withJournal((journal) => ({
          ...journal,
          async begin(operation, entry) {
            await journal.cancel(operation)
            return journal.begin(operation, entry)
          },
        }))
        const canceled = { status: 'DECLINED', code: 'CANCELLED' }
        expect(await processor[verb](payment)).toMatchObject(canceled)
        expect([calls.taken(), calls.confirmable()]).toEqual(before)
        expect(await processor.query(payment.operation)).toMatchObject(canceled)
      },
    )

    it.for(['DECLINE', 'CHALLENGE'] as const)(
      'leaves nothing that could still be paid after %s ended as a decline',
      async (scenario, { skip }) => {
        const { processor, confirm } = current()
        const payment = await order(skip, scenario)
        const before = calls.confirmable()
        const response = await processor.pay(payment)
        if (response.status === 'ACTION') await confirm?.(response.url, 'decline')
        const end = await processor.query(payment.operation)
        expect(end.status).toBe('DECLINED')
        expect(calls.confirmable()).toBe(before)
      },
    )

    it('sends nothing more once its signal is aborted', async ({ skip }) => {
      const abort = new AbortController()
      const payment = await order(skip, 'APPROVE', { signal: abort.signal })
      const before = calls.taken()
      let requests = 0
      const processor = calls.withJournal((journal) => ({
        ...journal,
        async begin(...entry) {
          const stored = await journal.begin(...entry)
          requests = calls.requests()
          abort.abort()
          return stored
        },
      }))
      await expect(processor.pay(payment)).rejects.toThrow()
      expect(calls.requests()).toBe(requests)
      expect(calls.taken()).toBe(before)
    })
  })
}
