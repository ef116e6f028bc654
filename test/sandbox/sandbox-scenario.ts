import { expect } from 'vitest'
import { createDueCharges } from '../../server/charges/recurring-charges.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import type { TestApp } from '../app.ts'
import {
  DAY_MS,
  eventsDuring,
  type Json,
  openPaymentsClient,
  type PaymentsClient,
} from '../payments-client.ts'

/** Merchants who try what the sandbox's numbers do, and the time that passes meanwhile. */

/** How long a pending operation of the sandbox takes. */
export const SETTLE_MS = 2_000
/** The delay before the server queries an operation without a response. */
export const QUERY_MS = 5_000
export const REVIEW_MS = DAY_MS
export const DAYS_LATER_MS = 3 * DAY_MS

/** How an operation goes: what it is at first, and for some what it becomes after a time. */
export type Course<Moment> = [first: Moment, waitMs?: number, end?: Moment]

export interface SandboxScenario {
  paymentsClient: PaymentsClient
  api: TestApp['merchant']['api']
  /** Lets time pass, and the server do what it does by itself; milliseconds. */
  later: (ms: number) => Promise<void>
  read: (area: 'refunds' | 'charges' | 'contracts' | 'voids', id: string) => Promise<Json>
  /** Takes 10.00 EUR for a charge that is due, from a card of its own that was stored. */
  collect: (card: string) => Promise<Json>
  /**
   * Begins an operation, and expects each moment of its course, with the events since the one
   * before, at its time and not earlier. `begin` returns the operation's id.
   */
  follow: <Moment>(
    course: Course<Moment>,
    begin: () => Promise<string>,
    expectMoment: (id: string, moment: Moment, eventTypes: string[]) => Promise<void>,
  ) => Promise<void>
}

export function openSandboxScenario(app: TestApp): SandboxScenario {
  const { deps } = app.checkstand
  const { api } = app.merchant
  const paymentsClient = openPaymentsClient(app)
  const later: SandboxScenario['later'] = async (ms) => {
    app.pass(ms)
    await createDueCharges(deps)
    await collectDue(deps)
    await reconcileDue(deps)
  }
  return {
    paymentsClient,
    api,
    later,
    async read(area, id) {
      const response = await api(`/${area}/${id}`)
      expect(response.status, response.text).toBe(200)
      return response.json[area.slice(0, -1)]
    },
    async collect(card) {
      const { account, method } = await paymentsClient.storeCard(card)
      const due = new Date(app.now() + 1).toISOString()
      const { id } = await paymentsClient.pay(undefined, { account, payment_method: method, due })
      await later(1)
      return paymentsClient.read(id)
    },
    async follow([first, waitMs = 0, end], begin, expectMoment) {
      let id = ''
      const atOnce = await eventsDuring(app, async () => (id = await begin()))
      await expectMoment(id, first, atOnce)
      if (end) {
        expect(await eventsDuring(app, () => later(waitMs - 1))).toEqual([])
        await expectMoment(id, end, await eventsDuring(app, () => later(1)))
      }
      // A final state never changes.
      expect(await eventsDuring(app, () => later(2 * DAYS_LATER_MS))).toEqual([])
    },
  }
}
