import { expect, onTestFinished } from 'vitest'
import { createDueCharges } from '../server/charges/recurring-charges.ts'
import type { AttemptRow } from '../server/db/tables/payments.ts'
import { collectDue } from '../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../server/payments/reconcile.ts'
import type { Processor, ProcessorResponse } from '../server/processors/port.ts'
import { startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { cardToken } from './payer-client.ts'
import { type Json, openPaymentsClient, stubProcessor } from './payments-client.ts'

/** An operation of the processor's that a test can bend. */
export type BentOperation = 'pay' | 'authorize' | 'capture' | 'refund' | 'void' | 'query' | 'cancel'

/** What becomes of a call: another response, its answer or the request lost, or what a function does. */
export type Fate =
  | ProcessorResponse
  | 'ANSWER LOST'
  | 'REQUEST LOST'
  | ((ask: () => Promise<ProcessorResponse>, operation: string) => Promise<ProcessorResponse>)

/** A payment or an operation that follows it; only its id in a query. */
type Order = string | { operation: string }

export const DECLINED = {
  status: 'DECLINED',
  reference: null,
  code: 'DECLINED',
  message: 'No',
} as const
export const DOWN = { status: 'ERROR', message: 'Down' } as const

/** The error summary of a request that is refused with 400. */
export function refusal(
  type: 'INVALID_REQUEST' | 'INVALID_STATE' | 'NOT_SUPPORTED',
  message: string,
): [number, string, string] {
  return [400, type, message]
}
export const PAYMENT_NOT_FOUND = [404, 'NOT_FOUND', 'Payment not found']
export const NOTHING_OPEN = refusal('INVALID_STATE', 'Authorization has no open amount')

/** Sends a call of an operation by `ask`, and lets this become of it. */
export async function meet(
  fate: Fate,
  ask: () => Promise<ProcessorResponse>,
  operation: string,
): Promise<ProcessorResponse> {
  if (typeof fate === 'function') return fate(ask, operation)
  if (fate === 'ANSWER LOST') await ask()
  if (typeof fate === 'string') throw new Error('connection reset')
  return fate
}

/** Starts an app for the tests of a file about payments, and returns it with what they do to it. */
export async function startPaymentsApp() {
  const app = await startTestApp()
  const { deps } = app.checkstand
  const { api } = app.merchant
  const client = openPaymentsClient(app)

  /** Lets time pass and the server do what it does by itself while it runs. */
  async function later(ms: number): Promise<void> {
    app.pass(ms)
    await createDueCharges(deps)
    await collectDue(deps)
    await reconcileDue(deps)
  }

  /** Bends calls of the sandbox until the test ends, or the returned function is called. */
  function bend(name: BentOperation, fate: Fate): () => void {
    let isBent = true
    stubProcessor(app, (real) => {
      const ask = real[name] as (order: Order) => Promise<ProcessorResponse>
      const bent = (order: Order) => {
        const operation = typeof order === 'string' ? order : order.operation
        return isBent ? meet(fate, () => ask(order), operation) : ask(order)
      }
      return { [name]: bent }
    })
    return () => {
      isBent = false
    }
  }

  /** Takes the processor away until the test ends, or the returned function is called. */
  function removeProcessor(): () => void {
    const processors = deps.processors.builtIn
    const sandbox = processors.get('sandbox') as Processor
    processors.delete('sandbox')
    const restore = () => void processors.set('sandbox', sandbox)
    onTestFinished(restore)
    return restore
  }

  /** Returns a function that sends an operation and returns its record. */
  const recordOf =
    (verb: 'capture' | 'refund' | 'void') =>
    async (idOrKey: string, request?: object): Promise<Json> => {
      const response = await (verb === 'void'
        ? client.release(idOrKey)
        : client[verb](idOrKey, request))
      expect(response.status, response.text).toBe(200)
      return response.json[verb]
    }

  /** Returns the first attempt of a kind on a payment. */
  const attemptOf = (paymentId: string, kind: AttemptRow['kind'] = 'PAY') =>
    deps.db
      .selectFrom('attempts')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()

  /** Returns the number of operations without an outcome. */
  const countOpenAttempts = async () =>
    (await deps.db.selectFrom('attempts').select('id').where('state', '<>', 'DONE').execute())
      .length

  /** Saves a card for an account, by a payment of 10.00 EUR. Returns the method's id. */
  async function saveCard(account: string, card = CARDS.mastercard): Promise<string> {
    const payment_method = { token: await cardToken(app, card), save: true }
    return (await client.pay(undefined, { account, payment_method })).payment_method
  }

  /** Returns the payments of a charge, oldest first. */
  const paymentsOf = async (chargeId: string): Promise<Json[]> =>
    (await api(`/payments?criteria=charge=${chargeId}&order=created`)).json.payments

  return {
    app,
    deps,
    api,
    client,
    later,
    bend,
    removeProcessor,
    captured: recordOf('capture'),
    refunded: recordOf('refund'),
    released: recordOf('void'),
    attemptOf,
    countOpenAttempts,
    saveCard,
    paymentsOf,
  }
}
