import type { Kysely } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { reconcileDue } from '../server/payments/reconcile.ts'
import type { Processor } from '../server/processors/port.ts'
import type { SandboxTables } from '../server/processors/sandbox/index.ts'
import type { Merchant, TestApp } from './app.ts'
import { CARDS } from './cards.ts'
import type { ApiResponse, Call, Client, MerchantClient } from './client.ts'
import { cardToken, sandboxCharges } from './payer-client.ts'

/** A merchant's use of the payments API, and what the product and the sandbox record of it. */

// oxlint-disable-next-line typescript/no-explicit-any -- the route's schema has checked it
export type Json = any

export const DAY_MS = 86_400_000

export interface PaymentsClient {
  /** Sends `POST /payments`. */
  send: (payment: unknown, call?: Call) => Promise<ApiResponse>
  /** Takes 10.00 EUR with a new card; `more` overrides members. Returns the payment. */
  pay: (card?: string, more?: Record<string, unknown>) => Promise<Json>
  /** Authorizes 100.00 EUR with a new card; `more` overrides members. Returns the payment. */
  authorise: (card?: string, more?: Record<string, unknown>) => Promise<Json>
  capture: (idOrKey: string, capture?: unknown, call?: Call) => Promise<ApiResponse>
  refund: (idOrKey: string, refund?: unknown, call?: Call) => Promise<ApiResponse>
  release: (idOrKey: string, call?: Call) => Promise<ApiResponse>
  /** Returns the current payment. */
  read: (idOrKey: string, query?: string) => Promise<Json>
  /** Creates an account and stores a card for it with a first payment of 1.00 EUR. */
  storeCard: (card?: string) => Promise<{ account: string; method: string }>
}

export function openPaymentsClient(
  app: Client & Partial<Pick<TestApp, 'merchant'>>,
  merchant: MerchantClient = app.merchant as MerchantClient,
): PaymentsClient {
  const { api } = merchant
  const send: PaymentsClient['send'] = (payment, call) =>
    api('/payments', { ...call, body: { payment } })
  const operate = (verb: string, idOrKey: string, body?: unknown, call: Call = {}) =>
    api(`/payments/${encodeURIComponent(idOrKey)}/${verb}`, {
      method: 'POST',
      ...call,
      ...(body === undefined ? {} : { body: { [verb]: body } }),
    })
  const pay: PaymentsClient['pay'] = async (card = CARDS.approve, more = {}) => {
    const payment_method = more['payment_method'] ?? { token: await cardToken(app, card) }
    const response = await send({ amount: '10.00', currency: 'EUR', ...more, payment_method })
    expect(response.status, response.text).toBe(200)
    return response.json.payment
  }
  return {
    send,
    pay,
    authorise: (card, more) => pay(card, { action: 'AUTH', amount: '100.00', ...more }),
    capture: (idOrKey, capture, call) => operate('capture', idOrKey, capture, call),
    refund: (idOrKey, refund, call) => operate('refund', idOrKey, refund, call),
    release: (idOrKey, call) => operate('void', idOrKey, undefined, call),
    async read(idOrKey, query = '') {
      const response = await api(`/payments/${encodeURIComponent(idOrKey)}${query}`)
      expect(response.status, response.text).toBe(200)
      return response.json.payment
    },
    async storeCard(card) {
      const { account } = (
        await api('/accounts', { body: { account: { crm_key: `payer ${Math.random()}` } } })
      ).json
      const payment_method = { token: await cardToken(app, card ?? CARDS.approve), save: true }
      const { payment_method: method } = await pay(undefined, {
        amount: '1.00',
        account: account.id,
        payment_method,
      })
      return { account: account.id, method }
    },
  }
}

/** Returns the status, error type and error message of a response. */
export function errorSummary({ status, json }: ApiResponse): [number, string, string] {
  return [status, json?.error?.type, json?.error?.message]
}

type Change = (real: Processor) => Partial<Processor>

/** Overrides methods of the sandbox processor until the test ends. */
export function stubProcessor(app: TestApp, change: Change): void {
  const processors = app.checkstand.deps.processors.builtIn
  const real = processors.get('sandbox') as Processor
  processors.set('sandbox', { ...real, ...change(real) })
  onTestFinished(() => {
    processors.set('sandbox', real)
  })
}

/** Overrides capabilities of the sandbox processor until the test ends. */
export function stubCapabilities(app: TestApp, change: Partial<Processor['capabilities']>): void {
  stubProcessor(app, ({ capabilities }) => ({ capabilities: { ...capabilities, ...change } }))
}

/** Adds a processor for live instances, which the sandbox simulates, until the test ends. */
export function addLiveProcessor(app: TestApp): void {
  const processors = app.checkstand.deps.processors.builtIn
  processors.set('real', {
    ...(processors.get('sandbox') as Processor),
    id: 'real',
    name: 'real',
    test: false,
  })
  onTestFinished(() => {
    processors.delete('real')
  })
}

/** Returns a promise that the test resolves by `open`. */
export function createGate(): { open: () => void; passed: Promise<void> } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

/** Returns the sandbox's own record of a reference, in minor units. */
export async function sandboxRecord(app: TestApp, reference: string) {
  // The sandbox's tables are not part of the product's schema.
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

/** Lets time pass and queries the payments that are due by then; milliseconds. */
export async function reconcileAfter(app: TestApp, ms: number): Promise<void> {
  app.pass(ms)
  await reconcileDue(app.checkstand.deps)
}

/** Returns what the sandbox charged while `act` ran, in minor units, one entry per charge. */
export async function chargedDuring(app: TestApp, act: () => Promise<unknown>): Promise<number[]> {
  const before = (await sandboxCharges(app)).length
  await act()
  return (await sandboxCharges(app)).slice(before)
}

/** Returns all events of a merchant, oldest first. */
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

/** Returns `type v` of each event that was recorded while `act` ran, sorted. */
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
