import { formatInstant } from '../../shared/rules/time.ts'
import type {
  AlertInput,
  CheckoutAlert,
  CheckoutAlerts,
} from '../../shared/schemas/checkout-alert.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import type { AlertsRow } from '../db/tables/checkout-monitor.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { expectVersion } from '../http/if-match.ts'
import { findAlerts, insertAlerts, lockAlerts, updateAlerts } from './alert-store.ts'

/** Returns the alerts of an instance; none before they are written. */
export async function getAlerts(
  deps: Pick<Deps, 'db'>,
  instanceId: string,
): Promise<CheckoutAlerts> {
  return serializeAlerts(await findAlerts(deps.db, instanceId))
}

interface Replacement {
  alerts: readonly AlertInput[]
  /** Id of the caller's session. */
  actorSession: string
  ifMatch: number | undefined
}

/**
 * Replaces all alerts of an instance. An alert that is repeated without a change keeps its status; any
 * other begins as `OK`, without an event.
 */
export async function replaceAlerts(
  deps: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  replacement: Replacement,
): Promise<CheckoutAlerts> {
  return retryOnConflict('Alerts', () =>
    inTransaction(deps.db, (tx) => replaceOnce(tx, instanceId, replacement, deps.now())),
  )
}

async function replaceOnce(
  tx: Tx,
  instanceId: string,
  { alerts: given, actorSession, ifMatch }: Replacement,
  nowMs: number,
): Promise<CheckoutAlerts | undefined> {
  // Locked, because the job changes the status of alerts without a new version.
  const stored = await lockAlerts(tx, instanceId)
  expectVersion('Alerts', stored ?? { v: 0 }, ifMatch)
  const before = parseAlerts(stored)
  const alerts = given.map((input) => keepStatus(newAlert(input), before))
  if (stored && JSON.stringify(alerts) === stored.alerts) return serializeAlerts(stored)
  const now = formatInstant(nowMs)
  const columns = {
    alerts: JSON.stringify(alerts),
    next_check: alerts.length === 0 ? null : now,
    updated: now,
    updated_session: actorSession,
  }
  const row: AlertsRow = stored
    ? { ...stored, ...columns, v: stored.v + 1 }
    : { instance_id: instanceId, ...columns, created: now, created_session: actorSession, v: 1 }
  if (stored) await updateAlerts(tx, row)
  else if (!(await insertAlerts(tx, row))) return undefined
  return serializeAlerts(row)
}

function newAlert(input: AlertInput): CheckoutAlert {
  const { name, measure, window_minutes, below, above, minimum } = input
  return {
    name,
    measure,
    below: threshold(below),
    above: threshold(above),
    window_minutes,
    minimum: minimum ?? 0,
    status: 'OK',
    changed: null,
  }
}

/** Rates have four decimals in every response. */
function threshold(given: string | number | null | undefined): string | number | null {
  return typeof given === 'string' ? Number(given).toFixed(4) : (given ?? null)
}

function keepStatus(alert: CheckoutAlert, before: readonly CheckoutAlert[]): CheckoutAlert {
  const definition = ({ status: _status, changed: _changed, ...rest }: CheckoutAlert) =>
    JSON.stringify(rest)
  return before.find((each) => definition(each) === definition(alert)) ?? alert
}

export function parseAlerts(row: Pick<AlertsRow, 'alerts'> | undefined): CheckoutAlert[] {
  return row ? (JSON.parse(row.alerts) as CheckoutAlert[]) : []
}

function serializeAlerts(row: AlertsRow | undefined): CheckoutAlerts {
  return {
    alerts: parseAlerts(row),
    created_session: row?.created_session ?? null,
    updated_session: row?.updated_session ?? null,
    created: row?.created ?? null,
    updated: row?.updated ?? null,
    v: row?.v ?? 0,
  }
}
