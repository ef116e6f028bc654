import { formatInstant } from '../../shared/rules/time.ts'
import type { CheckoutAlert } from '../../shared/schemas/checkout-alert.ts'
import type { AlertsRow } from '../db/tables/checkout-monitor.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import { listDueAlerts, setEvaluated } from './alert-store.ts'
import { alertStatus, type Measured } from './alert-status.ts'
import { parseAlerts } from './alerts.ts'
import { measure } from './measure.ts'

const BATCH = 100
const INTERVAL_MS = 60_000

/**
 * Evaluates alerts, each instance's once a minute, and records `checkout_monitor.alert` or
 * `checkout_monitor.recovered` for each that changes. With `instanceId`, only those of that instance,
 * whose test clock was moved. Safe to run in several processes at once. Returns the number of instances
 * whose alerts were due.
 */
export async function evaluateAlerts(
  deps: Pick<Deps, 'db' | 'now'>,
  instanceId?: string,
): Promise<number> {
  const now = deps.now()
  for (let evaluated = 0; ;) {
    const due = await listDueAlerts(deps.db, formatInstant(now), BATCH, instanceId)
    for (const row of due) await evaluate(deps, row, now)
    evaluated += due.length
    if (due.length < BATCH) return evaluated
  }
}

async function evaluate(deps: Pick<Deps, 'db'>, row: AlertsRow, now: number): Promise<void> {
  const { instance_id: instanceId } = row
  const alerts: CheckoutAlert[] = []
  const changes: { alert: CheckoutAlert; measured: Measured }[] = []
  for (const before of parseAlerts(row)) {
    const measured = await measure(deps.db, instanceId, before, now)
    const status = alertStatus(before, measured)
    const isChanged = status !== before.status
    const alert = isChanged ? { ...before, status, changed: formatInstant(now) } : before
    alerts.push(alert)
    if (isChanged) changes.push({ alert, measured })
  }
  const change = {
    alerts: JSON.stringify(alerts),
    next_check: formatInstant(now + INTERVAL_MS),
  }
  await inTransaction(deps.db, async (tx) => {
    if (!(await setEvaluated(tx, row, change))) return
    for (const { alert, measured } of changes) {
      const type =
        alert.status === 'ALERT' ? 'checkout_monitor.alert' : 'checkout_monitor.recovered'
      const data = { checkout_monitor: serializeChange(alert, measured) }
      await recordEvent(tx, { instanceId, type, data, now })
    }
  })
}

function serializeChange(alert: CheckoutAlert, { value, sessions }: Measured) {
  const isRate = alert.measure === 'APPROVAL' || alert.measure === 'CONVERSION'
  return { alert, value: isRate ? value.toFixed(4) : value, sessions }
}
