import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Processor, ProcessorResponse, SetupOperation } from '../../server/processors/port.ts'
import { ABOUT_PAYMENT } from '../processor-operation.ts'
import { approved } from './follow-ups.ts'
import type { MethodScenario, ProcessorUnderTest } from './processor-under-test.ts'

/** The part of the processor suite about methods that are saved without a payment. */
export function describeSetups(current: () => ProcessorUnderTest): void {
  describe('when a method is saved without a payment', () => {
    let processor: Processor
    let setup: (operation: SetupOperation) => Promise<ProcessorResponse>
    beforeEach(({ skip }) => {
      processor = current().processor
      if (!processor.setup) skip(`${processor.name} saves nothing without a payment`)
      setup = (operation) => processor.setup?.(operation) as Promise<ProcessorResponse>
    })

    async function order(
      skip: (note: string) => never,
      scenario: MethodScenario,
    ): Promise<SetupOperation> {
      const method = await current().method(scenario, 'SETUP')
      if (method?.kind !== 'NEW') return skip(`${processor.name} has no method for ${scenario}`)
      const { initiator: _initiator, ...about } = ABOUT_PAYMENT
      return {
        ...about,
        operation: randomUUID(),
        merchant: 'ins_1893456000000_0a1b2c3d4e5f6g7h',
        method,
        return_url: 'http://127.0.0.1/return',
      }
    }

    it('keeps what can be charged while the payer is away, and takes nothing', async ({ skip }) => {
      const { calls } = current()
      const before = calls?.taken()
      const operation = await order(skip, 'APPROVE')
      const { stored } = approved(await setup(operation))
      expect(calls?.taken()).toBe(before)
      const token = stored?.token as string
      expect(token).not.toBe(operation.method.token)
      const paid = await processor.pay({
        ...ABOUT_PAYMENT,
        operation: randomUUID(),
        merchant: operation.merchant,
        amount: 1050,
        currency: 'GBP',
        method: { kind: 'STORED', type: operation.method.type, token },
        store: false,
        initiator: 'MERCHANT',
        return_url: '',
      })
      expect(approved(paid).method).toMatchObject({ type: operation.method.type })
    })

    it('gives the same answer to the same key, and to a query of it', async ({ skip }) => {
      for (const scenario of ['APPROVE', 'DECLINE'] as const) {
        const operation = await order(skip, scenario)
        const answer = await setup(operation)
        expect(answer.status).toBe(scenario === 'APPROVE' ? 'APPROVED' : 'DECLINED')
        expect(await setup(operation)).toEqual(answer)
        expect(await processor.query(operation.operation)).toEqual(answer)
        expect(await processor.cancel(operation.operation)).toEqual(answer)
      }
    })

    it('rejects a repeated key with another method', async ({ skip }) => {
      const operation = await order(skip, 'APPROVE')
      const { method } = await order(skip, 'APPROVE')
      approved(await setup(operation))
      expect((await setup({ ...operation, method })).status).toBe('ERROR')
    })

    it('saves nothing that arrives after it was canceled', async ({ skip }) => {
      const operation = await order(skip, 'APPROVE')
      const tombstone = { status: 'DECLINED', code: 'CANCELLED' }
      expect(await processor.cancel(operation.operation)).toMatchObject(tombstone)
      expect(await setup(operation)).toMatchObject(tombstone)
    })

    it.for([
      ['approve', { status: 'APPROVED', three_ds: 'CHALLENGED' }],
      ['decline', { status: 'DECLINED', code: 'AUTHENTICATION_FAILED' }],
    ] as const)('follows the choice at the bank to %s', async ([choice, end], { skip }) => {
      const operation = await order(skip, 'CHALLENGE')
      const confirm = current().confirm ?? skip(`${processor.name} cannot play the payer`)
      const answer = await setup(operation)
      expect(answer.status).toBe('ACTION')
      await confirm((answer as Extract<ProcessorResponse, { status: 'ACTION' }>).url, choice)
      expect(await processor.query(operation.operation)).toMatchObject(end)
    })

    it('ends a set-up that waits for the bank when it is canceled', async ({ skip }) => {
      const operation = await order(skip, 'CHALLENGE')
      expect(await setup(operation)).toMatchObject({ status: 'ACTION' })
      const canceled = await processor.cancel(operation.operation)
      expect(canceled).toMatchObject({ status: 'DECLINED', code: 'CANCELLED' })
      expect(await processor.query(operation.operation)).toEqual(canceled)
    })

    it('reports a set-up whose response was lost', async ({ skip }) => {
      const operation = await order(skip, 'TAKEN_WITHOUT_ANSWER')
      await expect(setup(operation)).rejects.toThrow()
      const { stored } = approved(await processor.query(operation.operation))
      expect(stored?.token).not.toBe('')
    })

    it('can bury a set-up that never arrived', async ({ skip }) => {
      const operation = await order(skip, 'LOST_WITHOUT_ANSWER')
      await expect(setup(operation)).rejects.toThrow()
      expect(await processor.query(operation.operation)).toEqual({ status: 'NOT_FOUND' })
      expect(await processor.cancel(operation.operation)).toMatchObject({ code: 'CANCELLED' })
      expect(await setup(operation)).toMatchObject({ code: 'CANCELLED' })
    })
  })
}
