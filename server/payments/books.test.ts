import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ApiResponse } from '../../test/app.ts'
import { repetitions } from '../../test/depth.ts'
import { DECLINED, meet, startPaymentsApp } from '../../test/payments-app.ts'
import { sandboxRecord, errorSummary } from '../../test/payments-client.ts'

/**
 * Runs random concurrent operations on authorizations over a faulty network. Amounts never exceed the
 * authorized amount, and the books equal those of the processor at the end.
 */

const { app, deps, client, later, bend, countOpenAttempts } = await startPaymentsApp()

/** What becomes of a call to the processor. */
const FATES = ['ANSWERED', DECLINED, 'REQUEST LOST', 'ANSWER LOST'] as const

type Step =
  | { verb: 'capture'; cents: number; final: boolean }
  | { verb: 'refund'; of: number; cents: number; offline: boolean }
  | { verb: 'void' }
  | { verb: 'wait'; ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('capture' as const),
      cents: fc.integer({ min: 1, max: 6_000 }),
      final: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('refund' as const),
      of: fc.nat(3),
      cents: fc.integer({ min: 1, max: 3_000 }),
      offline: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ verb: 'void' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 5_000, 60_000),
    }),
  },
)
/** Steps that are taken one after another, each of them several at once. */
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 })

const amountOf = (cents: number) => (cents / 100).toFixed(2)

async function take(id: string, step: Step): Promise<void> {
  switch (step.verb) {
    case 'wait':
      await later(step.ms)
      return
    case 'void':
      check(await client.release(id))
      return
    case 'capture': {
      const { cents, final } = step
      check(await client.capture(id, { amount: amountOf(cents), final }))
      return
    }
    case 'refund': {
      const { of, cents, offline } = step
      const captures = await capturesOf(id)
      const capture = captures[of % Math.max(1, captures.length)]
      if (capture) check(await client.refund(capture.id, { amount: amountOf(cents), offline }))
    }
  }
}

function check(answer: ApiResponse): void {
  if (answer.status !== 200)
    expect(errorSummary(answer).slice(0, 2)).toEqual([400, 'INVALID_STATE'])
}

const capturesOf = (id: string) =>
  deps.db
    .selectFrom('payments')
    .selectAll()
    .where('authorisation_id', '=', id)
    .orderBy('created')
    .orderBy('id')
    .execute()

const paymentRow = (id: string) =>
  deps.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function checkOurBooks(id: string): Promise<void> {
  const auth = await paymentRow(id)
  const captures = await capturesOf(id)
  const held = captures.filter(({ status }) => status !== 'DECLINE')
  expect(sum(held.map(({ amount }) => amount))).toBe(auth.captured_amount)
  expect(auth.captured_amount + auth.released_amount).toBeLessThanOrEqual(auth.amount)
  for (const capture of captures) {
    const refunds = await refundsOf(capture.id)
    const counted = refunds.filter(({ status }) => status !== 'DECLINED')
    expect(sum(counted.map(({ amount }) => amount))).toBe(capture.refunded_amount)
    expect(capture.refunded_amount).toBeLessThanOrEqual(capture.amount)
  }
}

async function checkTheirBooks(id: string): Promise<void> {
  const auth = await paymentRow(id)
  const other = await sandboxRecord(app, auth.gateway_reference as string)
  expect([other.captured, other.released]).toEqual([auth.captured_amount, auth.released_amount])
  expect([other.captures, other.voids]).toEqual([auth.captured_amount, auth.released_amount])
  expect(auth.status).toBe(auth.released_amount === auth.amount ? 'VOIDED' : 'SUCCESS')
  for (const capture of await capturesOf(id)) {
    if (capture.status !== 'SUCCESS') continue
    const refunds = await refundsOf(capture.id)
    const params = refunds.filter(({ status, offline }) => status === 'SUCCESS' && offline === 0)
    const charge = await sandboxRecord(app, capture.gateway_reference as string)
    expect([charge.amount, charge.refunded]).toEqual([
      capture.amount,
      sum(params.map(({ amount }) => amount)),
    ])
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const refundsOf = (id: string) =>
  deps.db.selectFrom('refunds').selectAll().where('refunded_id', '=', id).execute()

it('the books balance at the end and stay within their bounds throughout', async () => {
  let fates: (typeof FATES)[number][] = []
  let calls = 0
  for (const verb of ['capture', 'refund', 'void'] as const) {
    bend(verb, (ask, operation) => {
      const fate = fates[calls++ % Math.max(1, fates.length)] ?? 'ANSWERED'
      return fate === 'ANSWERED' ? ask() : meet(fate, ask, operation)
    })
  }
  const fate = fc.array(fc.constantFrom(...FATES), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(story, fate, async (steps, wanted) => {
      fates = wanted
      const { id } = await client.authorise()
      for (const together of steps) {
        await Promise.all(together.map((one) => take(id, one)))
        await checkOurBooks(id)
      }
      // The network recovers, and the server looks until nothing is open.
      fates = []
      for (let round = 0; (await countOpenAttempts()) > 0; round += 1) {
        expect(round).toBeLessThan(10)
        await later(3_600_000)
      }
      await checkOurBooks(id)
      await checkTheirBooks(id)
    }),
    { numRuns: repetitions(20, 40) },
  )
}, 60_000)
