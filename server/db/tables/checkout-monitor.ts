import type { Selectable } from 'kysely'

/**
 * Counts of sessions by the time of their opening and their properties; see
 * `server/checkout-monitor/cells.ts`. Empty texts stand for null.
 */
export interface CheckoutCountsTable {
  instance_id: string
  /** Number of five minutes since the epoch. */
  slot: number
  currency: string
  language: string
  branding: string
  channel: string
  method: string
  processor: string
  deep_link: string
  detail: string
  opened: number
  details_done: number
  method_chosen: number
  submitted: number
  challenged: number
  completed: number
  pending: number
  declined: number
  abandoned: number
  expired: number
  /** Minor units of the currency. */
  amount: number
  /** Of the row's `detail`. */
  occurrences: number
}

/** Changes of counts that are not in `checkout_counts` yet. */
export interface CheckoutCountChangesTable extends CheckoutCountsTable {
  id: string
}

export interface CheckoutAlertsTable {
  instance_id: string
  /** JSON array of alerts, as responses have them. Their status changes without a new version. */
  alerts: string
  /** When they are evaluated next; null without alerts. */
  next_check: string | null
  created_session: string | null
  updated_session: string | null
  created: string
  updated: string
  v: number
}

export type AlertsRow = Selectable<CheckoutAlertsTable>
