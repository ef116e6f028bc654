import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProcessorResponse } from '../port.ts'
import { NoResponse } from './gateway.ts'
import { TEST_CARDS } from './test-cards.ts'
import { unsupportedBy } from './scenarios.ts'
import { openTestSandbox, SETTLE_MS, type TestSandbox } from '../../../test/sandbox-processor.ts'
import { ABOUT_PAYMENT, signal } from '../../../test/processor-operation.ts'

let test: TestSandbox
beforeAll(async () => {
  test = await openTestSandbox()
})
afterAll(() => test.close())

const NUMBERS = Object.keys(TEST_CARDS)
// The card without surprises as often as all others together, so that much is captured and refunded.
const CARDS = [...NUMBERS, ...NUMBERS.map(() => '4242424242424242')]
const DAY_MS = 86_400_000

// Few keys, so that they meet; few amounts, so that a key also comes back with another.
const TAKE_KEYS = 4
const take = fc.record({
  kind: fc.constantFrom('pay' as const, 'authorize' as const),
  key: fc.nat(TAKE_KEYS - 1),
  amount: fc.constantFrom(90, 100),
})
const follow = fc.record({
  kind: fc.constantFrom('capture' as const, 'refund' as const, 'void' as const),
  key: fc.integer({ min: TAKE_KEYS, max: TAKE_KEYS + 9 }),
  amount: fc.constantFrom(30, 45, 60),
  after: fc.nat(TAKE_KEYS + 9),
})
const other = fc.record({
  kind: fc.constantFrom('query' as const, 'cancel' as const, 'choose' as const, 'pass' as const),
  key: fc.nat(TAKE_KEYS + 9),
})
// What one test sends: groups one after another, the members of a group at the same time.
const commands = fc.array(
  fc.array(fc.oneof(take, follow, follow, other), { minLength: 1, maxLength: 5 }),
  { minLength: 1, maxLength: 12 },
)

type Command = (typeof commands extends fc.Arbitrary<infer C> ? C : never)[number][number]

/** What has been answered so far, by the number of the key. */
type Responses = Map<number, ProcessorResponse>

function isFinal(answer: ProcessorResponse | undefined): boolean {
  return answer?.status === 'APPROVED' || answer?.status === 'DECLINED'
}

/** Sends one command. Returns the response about its key, or undefined if there is none. */
async function send(
  command: Command,
  run: string,
  tokens: readonly string[],
  responses: Responses,
): Promise<ProcessorResponse | undefined> {
  const { sandbox } = test
  const operation = `${run}_${command.key}`
  switch (command.kind) {
    case 'pay':
    case 'authorize':
      return sandbox[command.kind]({
        ...ABOUT_PAYMENT,
        operation,
        merchant: run,
        amount: command.amount,
        currency: 'GBP',
        method: { kind: 'NEW', type: 'CARD', token: tokens[command.key] ?? '' },
        store: command.key === 0,
        return_url: 'http://127.0.0.1/return',
      })
    case 'capture':
    case 'refund':
    case 'void': {
      const followed = responses.get(command.after)
      const reference = (followed && 'reference' in followed && followed.reference) || 'none'
      const { amount } = command
      return sandbox[command.kind]({ operation, amount, currency: 'GBP', reference, signal })
    }
    case 'cancel':
      return sandbox.cancel(operation)
    case 'query': {
      const response = await sandbox.query(operation)
      return response.status === 'NOT_FOUND' ? undefined : response
    }
    case 'choose': {
      const response = responses.get(command.key)
      if (response?.status !== 'ACTION') return undefined
      await sandbox.gateway.choose(response.url.slice(response.url.lastIndexOf('/') + 1), 'approve')
      return undefined
    }
    case 'pass':
      // Long enough for some of what is pending, or for all of it.
      test.pass(command.key % 2 === 0 ? SETTLE_MS : 3 * DAY_MS)
      await sandbox.changes?.({ merchant: run, since: null })
      return undefined
  }
}

/** Sends everything, and checks that what was final once stays as it was. */
async function play(groups: Command[][], run: string, tokens: readonly string[]) {
  const responses: Responses = new Map()
  for (const group of groups) {
    await Promise.all(
      group.map(async (command) => {
        const response = await send(command, run, tokens, responses).catch((error: unknown) => {
          if (error instanceof NoResponse) return undefined
          throw error
        })
        // ERROR refuses a reused key and has no state of the key.
        if (response === undefined || response.status === 'ERROR') return
        const before = responses.get(command.key)
        if (!isFinal(before)) responses.set(command.key, response)
        // The other answer may have been on its way before this one was final.
        else if (isFinal(response)) expect(response).toEqual(before)
      }),
    )
  }
  for (const [key, answer] of responses) {
    if (isFinal(answer)) expect(await test.sandbox.query(`${run}_${key}`)).toEqual(answer)
  }
}

function sum(rows: readonly { amount: number | null }[]): number {
  return rows.reduce((total, { amount }) => total + Number(amount), 0)
}

/** Which operation has which amount, in an order that can be compared. */
function entries(rows: readonly { operation: string; amount: number | null }[]): string[] {
  return rows.map(({ operation, amount }) => `${operation} ${amount}`).toSorted()
}

/** Checks the books against the operations of one run. Returns how much money moved. */
async function audit(run: string): Promise<number> {
  const ours = async <R extends { operation: string }>(query: { execute: () => Promise<R[]> }) =>
    (await query.execute()).filter(({ operation }) => operation.startsWith(`${run}_`))
  const { db } = test
  const operations = await ours(db.selectFrom('sandbox_operations').selectAll())
  const chargesNow = () => ours(db.selectFrom('sandbox_charges').selectAll())
  const charges = await chargesNow()
  const authorisations = await ours(db.selectFrom('sandbox_authorisations').selectAll())
  const refunds = await ours(db.selectFrom('sandbox_refunds').selectAll())
  const voids = await ours(db.selectFrom('sandbox_voids').selectAll())
  const approved = (...kinds: string[]) =>
    operations.filter(({ kind, state }) => state === 'APPROVED' && kinds.includes(kind))
  /** What operations have claimed of the one that they follow, while they are pending too. */
  const claimed = (reference: string, kind: string) =>
    sum(
      operations.filter(
        (each) =>
          each.follows === reference &&
          each.kind === kind &&
          ['APPROVED', 'PENDING'].includes(each.state),
      ),
    )

  expect(operations.filter(({ state }) => state === 'STARTED')).toEqual([])
  expect(entries(charges)).toEqual(entries(approved('PAY', 'CAPTURE')))
  expect(entries(refunds)).toEqual(entries(approved('REFUND')))
  expect(entries(voids)).toEqual(entries(approved('VOID')))
  expect(authorisations).toHaveLength(approved('AUTHORISE').length)
  const { reversals = [] } = (await test.sandbox.changes?.({ merchant: run, since: null })) ?? {}
  for (const { id, operation, amount, refunded, disputed } of await chargesNow()) {
    const dispute = reversals.find((each) => each.operation === operation)
    expect(refunded).toBe(claimed(id, 'REFUND'))
    expect(disputed).toBe(dispute && dispute.status !== 'WON' ? dispute.amount : 0)
    expect(refunded + disputed).toBeLessThanOrEqual(amount)
  }
  for (const { id, operation, reserved, captured, released } of authorisations) {
    const [authorization] = operations.filter((each) => each.operation === operation)
    const isOnce = unsupportedBy(authorization?.scenario ?? null).includes('multiple_captures')
    // Its one capture has released what it left, and what was void before.
    const voided = isOnce && captured > 0 ? reserved - captured : claimed(id, 'VOID')
    expect([captured, released]).toEqual([claimed(id, 'CAPTURE'), voided])
    expect(captured + released).toBeLessThanOrEqual(reserved)
  }
  const used = operations.flatMap(({ token }) => token ?? [])
  expect(new Set(used).size).toBe(used.length)
  return sum(charges) + sum(refunds) + sum(voids)
}

// A hundred histories take a while on a server that is busy with other tests.
const PROPERTY_MS = 60_000

it(
  'never takes money twice, whatever is sent in whatever order',
  { timeout: PROPERTY_MS },
  async () => {
    let runs = 0
    let moved = 0
    const cards = fc.array(fc.constantFrom(...CARDS), {
      minLength: TAKE_KEYS,
      maxLength: TAKE_KEYS,
    })
    await fc.assert(
      fc.asyncProperty(commands, cards, async (groups, numbers) => {
        const run = `run${(runs += 1)}`
        await play(groups, run, await Promise.all(numbers.map(test.token)))
        moved += await audit(run)
      }),
      { numRuns: 100 },
    )
    // Otherwise the test would be about nothing.
    expect(moved).toBeGreaterThan(0)
  },
)
