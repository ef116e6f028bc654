import { randomUUID } from 'node:crypto'
import { disableInstance } from '../../../server/admin/disable-instance.ts'
import { reconcileDue } from '../../../server/payments/reconcile.ts'
import { settleAttempt } from '../../../server/payments/settle.ts'
import type { Merchant, TestApp } from '../../app.ts'
import { CARDS } from '../../cards.ts'
import { cardToken } from '../../payer-client.ts'
import type { Server } from '../../second-server.ts'

/** What people and jobs do to the records of a scenario. */

export type Action = (server: Server) => Promise<unknown>

/** Creates the record for a merchant. Returns the operations on it by name. */
export type Scenario = (app: TestApp, merchant: Merchant) => Promise<Record<string, Action>>

export const put =
  (path: string, body: object): Action =>
  ({ api }) =>
    api(path, { method: 'PUT', body })
export const remove =
  (path: string): Action =>
  ({ api }) =>
    api(path, { method: 'DELETE' })
export const post =
  (path: string, body: object = {}): Action =>
  ({ api }) =>
    api(path, { body })

export const disable =
  ({ instance }: Merchant): Action =>
  ({ deps }) =>
    disableInstance(deps, instance.id)

/** Delivers the processor's current outcome of every open attempt. */
export const notice =
  ({ instance }: Merchant): Action =>
  async ({ deps }) => {
    const open = await deps.db
      .selectFrom('attempts')
      .select(['id', 'processor', 'instance_id'])
      .where('instance_id', '=', instance.id)
      .where('state', '<>', 'DONE')
      .execute()
    for (const attempt of open) {
      const { id } = attempt
      const result = await (await deps.processors.get(attempt))?.query(id)
      if (result && result.status !== 'NOT_FOUND') await settleAttempt(deps, id, result)
    }
  }

/**
 * Advances the clock beyond the processor timeout, so that the reconciler does not wait for the call.
 * It cancels an attempt that has not arrived, which no sequential order would do.
 */
export const RECONCILES = 'the reconciler comes by'
export const reconcile =
  (app: TestApp): Action =>
  async ({ deps }) => {
    app.pass(60_000)
    return reconcileDue(deps)
  }

/** Submits a card as a new attempt. */
export const press =
  (app: TestApp, token: string, card = CARDS.approve): Action =>
  async ({ call }) => {
    const payment_method = { type: 'CARD', processor: 'sandbox', token: await cardToken(app, card) }
    const body = { attempt_key: randomUUID(), options_v: 1, payment_method }
    const headers = { authorization: `Bearer ${token}` }
    return call('/pay/checkouts/current/submit', { headers, body })
  }
