import { describe, expect, it, onTestFinished } from 'vitest'
import type { ProcessorResponse } from '../processors/port.ts'
import { CARDS } from '../../test/cards.ts'
import { type BentOperation, DECLINED, startPaymentsApp } from '../../test/payments-app.ts'
import {
  stubProcessor,
  sandboxRecord,
  type Json,
  createGate,
  chargedDuring,
} from '../../test/payments-client.ts'
import { cardToken, newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'
import { settleAttempt } from './settle.ts'

/**
 * Processors that say what the port does not know: an adapter with a bug, or a company that has
 * changed its interface. No code may guess from it that money was taken, or that it was not.
 */

const { app, deps, client, later, bend, attemptOf, countOpenAttempts } = await startPaymentsApp()

const NONSENSE: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'APPROVED'],
  ['an object without a status', {}],
  ['a status of its own', { status: 'SUCCEEDED', reference: 'r' }],
  ['a decline without a reason', { status: 'DECLINED', reference: 'r', message: '' }],
  ['a decline for a reason of its own', { status: 'DECLINED', code: 'WHY', message: '' }],
  ['an approval without a reference', { status: 'APPROVED' }],
  ['an approval with an empty reference', { status: 'APPROVED', reference: '' }],
  ['an approval with nothing but NUL for a reference', { status: 'APPROVED', reference: '\0' }],
  ['an approval with a number for a reference', { status: 'APPROVED', reference: 7 }],
  ['a page of the bank without an address', { status: 'ACTION', reference: 'r' }],
]

/** Lets the processor perform these operations and return something else, until that is stopped. */
function garble(operations: BentOperation[], said: unknown): () => void {
  const stops = operations.map((name) =>
    bend(name, async (ask) => {
      await ask()
      return said as ProcessorResponse
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

/** Queries open operations an hour later. */
const askLater = () => later(3_600_000)

describe.each(NONSENSE)('a processor that charged and returns %s', (_, said) => {
  it('leaves the payment UNRESOLVED until a valid response, and charges once', async () => {
    const speakSense = garble(['pay', 'query'], said)
    let payment: Json
    const charged = await chargedDuring(app, async () => {
      payment = await client.pay()
      expect(payment.status).toBe('UNRESOLVED')
      await askLater()
      expect((await client.read(payment.id)).status).toBe('UNRESOLVED')
      speakSense()
      await askLater()
    })
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
    expect(charged).toEqual([1000])
  })

  it('lets the payer wait and pay once', async () => {
    const link = await newLink(app.merchant)
    const payer = await openPayerClient(app, link.id)
    const speakSense = garble(['pay'], said)
    const charged = await chargedDuring(app, async () => {
      expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('PENDING')
      expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('BUSY')
      speakSense()
      await askLater()
    })
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
    expect(charged).toEqual([1250])
  })
})

it.each(['capture', 'refund', 'void'] as const)(
  'a %s that is answered with nonsense is open until it is known, and made once',
  async (verb) => {
    const paid = verb === 'refund' ? await client.pay() : await client.authorise()
    const speakSense = garble([verb], { status: 'DONE' })
    const response = await (verb === 'void'
      ? client.release(paid.id)
      : client[verb](paid.id, { amount: '3.00' }))
    expect(Object.values(response.json)[0]).toMatchObject({ status: 'UNRESOLVED' })
    speakSense()
    await askLater()
    const books = await sandboxRecord(app, paid.gateway_reference)
    expect(books[`${verb}s`]).toBe(verb === 'void' ? 10_000 : 300)
    expect(await countOpenAttempts()).toBe(0)
  },
)

it('a processor that reports a charge as unknown is believed only after it cancels the operation', async () => {
  garble(['pay', 'query'], { status: 'NOT_FOUND' })
  let payment: Json
  const charged = await chargedDuring(app, async () => {
    payment = await client.pay()
    expect(payment.status).toBe('UNRESOLVED')
    await askLater()
  })
  // Asked to cancel it, the processor has to say that it is too late.
  expect((await client.read(payment.id)).status).toBe('SUCCESS')
  expect(charged).toEqual([1000])
})

it('a response after the timeout changes nothing by itself', async () => {
  const gate = createGate()
  onTestFinished(gate.open)
  bend('pay', async (ask) => {
    const reported = await ask()
    await gate.passed
    return reported
  })
  const charged = await chargedDuring(app, async () => {
    const { id, status } = await client.pay(CARDS.approve, { timeout: 1 })
    expect(status).toBe('UNRESOLVED')
    gate.open()
    await new Promise(setImmediate)
    expect((await client.read(id)).status).toBe('UNRESOLVED')
    await askLater()
    expect((await client.read(id)).status).toBe('SUCCESS')
  })
  expect(charged).toEqual([1000])
})

it('a call without a response does not revert an outcome found meanwhile', async () => {
  const [begun, go] = [createGate(), createGate()]
  bend('pay', async (ask) => {
    await ask()
    begun.open()
    await go.passed
    throw new Error('the line went dead')
  })
  const payer = await openPayerClient(app, (await newLink(app.merchant)).id)
  const paying = payer.payByCard(CARDS.challenge)
  await begun.passed
  // Another process, whose clock is ahead or which presumes this one dead, has queried already.
  app.pass(31_000)
  await reconcileDue(deps)
  const cached = { outcome: 'ACTION', action: { type: 'REDIRECT', url: expect.any(String) } }
  expect((await payer.current()).json.checkout.result).toMatchObject(cached)
  go.open()
  expect((await paying).json).toMatchObject(cached)
  expect((await payer.current()).json.checkout.result).toMatchObject(cached)
})

const METHOD = { type: 'CARD', exp_month: 1, exp_year: 2035, funding: null, country: null }
const declined = (message: unknown) => ({ status: 'DECLINED', code: 'DECLINED', message })
const pending = (more: object) => ({
  status: 'PENDING',
  reference: 'r',
  check_after_ms: 60_000,
  ...more,
})

/** Malformed details of an outcome, and the member that the log names. */
const MALFORMED: [string, Json, string, string][] = [
  ...(
    [
      ['a stored method without a token', 'stored', { fingerprint: 'f' }],
      ['a stored method without a fingerprint', 'stored', { token: 't' }],
      ['a stored method that is none', 'stored', 'tok_1'],
      ['a brand that is no text', 'method', { ...METHOD, brand: { a: 1 }, last4: ['1'] }],
      ['a year that is none', 'method', { ...METHOD, brand: 'visa', last4: '1', exp_year: 1e9 }],
      ['a method with NUL in it', 'method', { ...METHOD, brand: 'vi\0sa', last4: '1\0' }],
      ['a method that is none', 'method', 'visa'],
      ['an unknown result of 3-D Secure', 'three_ds', { a: 1 }],
      ['abilities that are no list', 'unsupported', 'refund'],
      ['an ability that nothing here knows', 'unsupported', ['teleport', { a: 1 }]],
      ['an end that is no text', 'authorised_until', 7],
      ['an end that no calendar has', 'authorised_until', '2030-02-30T00:00:00Z'],
    ] as const
  ).map(([what, member, value]): [string, Json, string, string] => [
    `an approval with ${what}`,
    { status: 'APPROVED', reference: 'r', [member]: value },
    'SUCCESS',
    member,
  ]),
  ['an approval with NUL', { status: 'APPROVED', reference: 'r\0' }, 'SUCCESS', 'reference'],
  ['NUL in a reason', declined('n\0'), 'DECLINE', 'message'],
  ['no text for a reason', declined(7), 'DECLINE', 'message'],
  ['NUL in what it waits for', pending({ message: 'w\0' }), 'PENDING', 'message'],
  ['no text for what it waits for', pending({ message: { a: 1 } }), 'PENDING', 'message'],
  ['NUL in an error', { status: 'ERROR', message: 'n\0' }, 'DECLINE', 'message'],
  ...[1e300, 1e15, Infinity, -1, NaN, 'soon'].map((wait): [string, Json, string, string] => [
    `a wait of ${wait}`,
    pending({ check_after_ms: wait }),
    'PENDING',
    'check_after_ms',
  ]),
]

describe.each(MALFORMED)('a processor that returns %s', (_, said, status, member) => {
  const payment = async () => ({
    account: { crm_key: `payer ${Math.random()}` },
    payment_method: { token: await cardToken(app, CARDS.approve), save: true },
  })

  async function expectRecorded(id: string): Promise<void> {
    const { gateway_reference, gateway_message, ...paid } = await client.read(id)
    expect(paid).toMatchObject({ status, payment_method: null })
    expect(`${gateway_reference}${gateway_message}`).not.toContain('\0')
    expect(app.logged()).toContain(`"malformed":"${member}"`)
  }

  it('has its outcome recorded, and is queried again within thirty days if that is open', async () => {
    garble(['pay'], said)
    const { id } = await client.pay(undefined, await payment())
    await expectRecorded(id)
    const { next_check } = await attemptOf(id)
    if (status !== 'PENDING') expect(next_check).toBeNull()
    else {
      const wait = Date.parse(next_check as string) - app.now()
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(30 * 86_400_000)
    }
  })

  it('has its outcome recorded by a later query', async () => {
    garble(['pay', 'query'], undefined)
    const { id, status: unknown } = await client.pay(undefined, await payment())
    expect(unknown).toBe('UNRESOLVED')
    garble(['query'], said)
    await askLater()
    await expectRecorded(id)
  })
})

describe('an approval after a decline', () => {
  const errors = (attempt: string) =>
    app
      .logged()
      .split('\n')
      .filter((line) => line.includes('after it had been declined') && line.includes(attempt))

  it('changes nothing and is logged for the operator', async () => {
    const payment = await client.pay(CARDS.decline)
    const attempt = await attemptOf(payment.id)
    await settleAttempt(deps, attempt.id, { status: 'APPROVED', reference: 'late' })
    expect(await client.read(payment.id)).toEqual(payment)
    expect(errors(attempt.id)).toHaveLength(1)
  })

  it('is not logged for an approved payment or a repeated decline', async () => {
    const [paid, declined] = [await client.pay(), await client.pay(CARDS.decline)]
    for (const [{ id }, answer] of [
      [paid, { status: 'APPROVED', reference: 'again' } as const],
      [declined, DECLINED],
    ] as const) {
      const attempt = await attemptOf(id)
      await settleAttempt(deps, attempt.id, answer)
      expect(errors(attempt.id)).toEqual([])
    }
  })
})

describe('an authorization with an expiry of its processor', () => {
  const HOUR_MS = 3_600_000
  const endsAt = (authorised_until: string) =>
    stubProcessor(app, (real) => ({
      authorize: async (order) => ({ ...(await real.authorize(order)), authorised_until }) as never,
    }))
  const openAfter = async (id: string, ms: number) => {
    app.pass(ms)
    return (await client.read(id)).open_amount
  }

  it.each([
    ['in a zone of its own', (at: Date) => `${local(at, 2)}+02:00`],
    ['in another one', (at: Date) => `${local(at, -5)}-05:00`],
    ['without milliseconds', (at: Date) => `${local(at, 0)}Z`],
  ])('expires then, given as %s', async (_, said) => {
    endsAt(said(new Date(app.now() + HOUR_MS)))
    const { id, open_amount } = await client.authorise()
    expect(open_amount).toBe('100.00')
    expect(await openAfter(id, HOUR_MS - 1)).toBe('100.00')
    expect(await openAfter(id, 1)).toBe('0.00')
  })

  it.each(['soon', '2030-06-01', '2030-13-01T00:00:00Z', 'zzz'])(
    'stays open when that cannot be read: %s',
    async (said) => {
      endsAt(said)
      const { id } = await client.authorise()
      expect(await openAfter(id, 30 * 24 * HOUR_MS)).toBe('100.00')
      expect((await client.release(id)).status).toBe(200)
    },
  )

  function local(at: Date, hours: number): string {
    return new Date(at.getTime() + hours * HOUR_MS).toISOString().slice(0, 19)
  }
})

it('details of an outcome are stored if they are short and contain no card number', async () => {
  const number = '5555555555554444'
  const method = { type: 'CARD', brand: 'x'.repeat(1000), last4: number, funding: number }
  garble(['pay'], {
    status: 'DECLINED',
    code: 'DECLINED',
    reference: 'r',
    message: `card ${number} ${'x'.repeat(5000)}`,
    method: { ...method, exp_month: 1, exp_year: 2034, country: 'DE' },
  })
  const payer = await openPayerClient(app, (await newLink(app.merchant)).id)
  expect((await payer.payByCard(CARDS.approve)).json.outcome).toBe('DECLINED')
  const checkout_id = payer.checkout.id as string
  const attempt = await deps.db
    .selectFrom('attempts')
    .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
    .select(['gateway_message', 'method_brand', 'method_last4'])
    .where('checkout_id', '=', checkout_id)
    .executeTakeFirstOrThrow()
  expect(attempt).toMatchObject({ method_brand: null, method_last4: null })
  expect(attempt.gateway_message).toHaveLength(1000)
  expect(attempt.gateway_message).not.toContain(number)
})
