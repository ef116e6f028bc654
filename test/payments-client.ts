import type { Kysely } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import type { Processor } from '../server/processors/port.ts'
import type { SandboxTables } from '../server/processors/sandbox/index.ts'
import type { ApiResponse, Call, Merchant, TestApp } from './app.ts'
import { CARDS, cardToken, sandboxCharges } from './payer-client.ts'

/** What a merchant's server does with the payments API, and what both sides keep of it. */

// oxlint-disable-next-line typescript/no-explicit-any -- the route's schema has checked it
export type Json = any

export const DAY_MS = 86_400_000

export interface PaymentsClient {
  /** `POST /payments`, with whatever is to be sent. */
  send: (payment: unknown, call?: Call) => Promise<ApiResponse>
  /** Takes 10.00 EUR with a new card, or what `more` says; answers the payment. */
  pay: (card?: string, more?: Record<string, unknown>) => Promise<Json>
  /** Reserves 100.00 EUR with a new card, or what `more` says; answers the authorisation. */
  authorise: (card?: string, more?: Record<string, unknown>) => Promise<Json>
  capture: (named: string, capture?: unknown, call?: Call) => Promise<ApiResponse>
  refund: (named: string, refund?: unknown, call?: Call) => Promise<ApiResponse>
  release: (named: string, call?: Call) => Promise<ApiResponse>
  /** The payment as it is now. */
  read: (named: string, query?: string) => Promise<Json>
  /** An account of its own, and a card that was stored for it with a first payment of 1.00 EUR. */
  storeCard: (card?: string) => Promise<{ account: string; method: string }>
}

/** A merchant with the payments API in hand. */
export function openPaymentsClient(
  app: TestApp,
  merchant: Merchant = app.merchant,
): PaymentsClient {
  const { api } = merchant
  const send: PaymentsClient['send'] = (payment, call) =>
    api('/payments', { ...call, body: { payment } })
  const operate = (verb: string, named: string, body?: unknown, call: Call = {}) =>
    api(`/payments/${encodeURIComponent(named)}/${verb}`, {
      method: 'POST',
      ...call,
      ...(body === undefined ? {} : { body: { [verb]: body } }),
    })
  const take: PaymentsClient['pay'] = async (card = CARDS.approve, more = {}) => {
    const payment_method = more['payment_method'] ?? { token: await cardToken(app, card) }
    const answer = await send({ amount: '10.00', currency: 'EUR', ...more, payment_method })
    expect(answer.status, answer.text).toBe(200)
    return answer.json.payment
  }
  return {
    send,
    pay: take,
    authorise: (card, more) => take(card, { action: 'AUTH', amount: '100.00', ...more }),
    capture: (named, capture, call) => operate('capture', named, capture, call),
    refund: (named, refund, call) => operate('refund', named, refund, call),
    release: (named, call) => operate('void', named, undefined, call),
    async read(named, query = '') {
      const answer = await api(`/payments/${encodeURIComponent(named)}${query}`)
      expect(answer.status, answer.text).toBe(200)
      return answer.json.payment
    },
    async storeCard(card) {
      const { account } = (
        await api('/accounts', { body: { account: { crm_key: `payer ${Math.random()}` } } })
      ).json
      const payment_method = { token: await cardToken(app, card ?? CARDS.approve), save: true }
      const { payment_method: method } = await take(undefined, {
        amount: '1.00',
        account: account.id,
        payment_method,
      })
      return { account: account.id, method }
    },
  }
}

/** Each answer's status with what says why, for tables of refusals. */
export function errorSummary({ status, json }: ApiResponse): [number, string, string] {
  return [status, json?.error?.type, json?.error?.message]
}

type Change = (real: Processor) => Partial<Processor>

/**
 * Has the sandbox answer otherwise until the test ends: the one place where tests pretend, because
 * it is where another company's network begins.
 */
export function stubProcessor(app: TestApp, change: Change): void {
  const processors = app.checkstand.deps.processors as Map<string, Processor>
  const real = processors.get('sandbox') as Processor
  processors.set('sandbox', { ...real, ...change(real) })
  onTestFinished(() => {
    processors.set('sandbox', real)
  })
}

/** The sandbox with other abilities. */
export function stubCapabilities(app: TestApp, change: Partial<Processor['capabilities']>): void {
  stubProcessor(app, ({ capabilities }) => ({ capabilities: { ...capabilities, ...change } }))
}

/** Has a processor for real money, which the sandbox plays, serve live instances until the test ends. */
export function addLiveProcessor(app: TestApp): void {
  const processors = app.checkstand.deps.processors as Map<string, Processor>
  processors.set('real', { ...(processors.get('sandbox') as Processor), name: 'real', test: false })
  onTestFinished(() => {
    processors.delete('real')
  })
}

/** Something to wait for that the test brings about. */
export function createGate(): { open: () => void; passed: Promise<void> } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

/** What the sandbox itself has on its books for one of its references, in minor units. */
export async function sandboxRecord(app: TestApp, reference: string) {
  // Another house with its own tables, which our code does not know.
  const db = app.checkstand.deps.db as unknown as Kysely<SandboxTables>
  const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0)
  const charge = await db
    .selectFrom('sandbox_charges')
    .select(['amount', 'refunded', 'disputed'])
    .where('id', '=', reference)
    .executeTakeFirst()
  const authorisation = await db
    .selectFrom('sandbox_authorisations')
    .select(['reserved', 'captured', 'released'])
    .where('id', '=', reference)
    .executeTakeFirst()
  const following = (kind: 'CAPTURE' | 'REFUND' | 'VOID') =>
    db
      .selectFrom('sandbox_operations')
      .select('amount')
      .$narrowType<{ amount: number }>()
      .where('follows', '=', reference)
      .where('kind', '=', kind)
      .where('state', '=', 'APPROVED')
      .execute()
  return {
    ...charge,
    ...authorisation,
    captures: sum(await following('CAPTURE')),
    refunds: sum(await following('REFUND')),
    voids: sum(await following('VOID')),
  }
}

/** What the sandbox charged while `act` ran, in minor units, one entry a charge. */
export async function chargedDuring(app: TestApp, act: () => Promise<unknown>): Promise<number[]> {
  const before = (await sandboxCharges(app)).length
  await act()
  return (await sandboxCharges(app)).slice(before)
}

/** Everything that a merchant was told, as the events' types and data. */
export async function recordedEvents(
  app: TestApp,
  merchant: Merchant = app.merchant,
): Promise<{ id: string; type: string; data: Json }[]> {
  const rows = await app.checkstand.deps.db
    .selectFrom('events')
    .select(['id', 'type', 'data'])
    .where('instance_id', '=', merchant.instance.id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
}

/** What a merchant was told while `act` ran: `type v` of each event, in no order. */
export async function eventsDuring(
  app: TestApp,
  act: () => Promise<unknown>,
  merchant: Merchant = app.merchant,
): Promise<string[]> {
  const before = new Set((await recordedEvents(app, merchant)).map(({ id }) => id))
  await act()
  return (await recordedEvents(app, merchant))
    .filter(({ id }) => !before.has(id))
    .map(({ type, data }) => `${type} ${(Object.values(data)[0] as Json).v}`)
    .toSorted()
}
