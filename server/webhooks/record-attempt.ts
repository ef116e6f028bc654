import { formatInstant } from '../../shared/rules/time.ts'
import { SYSTEM, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { withClockOf } from '../clock.ts'
import type { DeliveryError } from '../db/tables/webhooks.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import { queueWebhookDisabled } from '../mail/queue-webhook-disabled.ts'
import type { OutboundResponse } from '../outbound/http-client.ts'
import { type DeliveryMessage, markDelivered, updateLeasedDelivery } from './deliveries.ts'
import { serializeWebhook } from './serialize.ts'
import { deliveryRetryDelay } from './retry-schedule.ts'
import { disableFailing, markFailing, markWorking } from './store.ts'

/** A webhook is disabled after this time without a success. */
const FAILING_MAX_MS = 5 * 86_400_000
const GONE = 410

type AttemptDeps = Pick<Deps, 'config' | 'db' | 'now' | 'realNow' | 'security'>

/** Records the outcome of one attempt, and disables a webhook that keeps failing. */
export async function recordDeliveryAttempt(
  deps: AttemptDeps,
  dispatch: DeliveryMessage,
  response: OutboundResponse,
): Promise<void> {
  const error = errorOf(response)
  if (error === null) await recordSuccess(deps, dispatch, response)
  else await recordFailure(deps, dispatch, response, error)
}

function errorOf({ status, fault }: OutboundResponse): DeliveryError | null {
  if (status === undefined) return fault
  if (status >= 200 && status <= 299) return null
  return status >= 300 && status <= 399 ? 'REDIRECT' : 'BAD_STATUS'
}

async function recordSuccess(
  deps: AttemptDeps,
  dispatch: DeliveryMessage,
  { status }: OutboundResponse,
): Promise<void> {
  const now = formatInstant(deps.now())
  await inTransaction(deps.db, async (tx) => {
    await markDelivered(tx, dispatch.id, {
      ...attemptColumns(dispatch, now),
      status: 'DELIVERED',
      next_attempt: null,
      response_status: status ?? null,
      error: null,
      delivered: now,
    })
    await markWorking(tx, calledWebhook(dispatch))
  })
}

async function recordFailure(
  deps: AttemptDeps,
  dispatch: DeliveryMessage,
  { status }: OutboundResponse,
  error: DeliveryError,
): Promise<void> {
  const now = deps.now()
  const at = formatInstant(now)
  const delay = deliveryRetryDelay(dispatch.attempts + 1)
  // 410 Gone disables at once.
  const failedSince = status === GONE ? at : formatInstant(now - FAILING_MAX_MS)
  const mayDisable = (dispatch.failing_since ?? at) <= failedSince
  const by = mayDisable
    ? await withClockOf(dispatch, () =>
        findOrCreateActorSession(deps, dispatch.instance_id, SYSTEM),
      )
    : null
  const disabled = await inTransaction(deps.db, async (tx) => {
    const isLeased = await updateLeasedDelivery(tx, dispatch, {
      ...attemptColumns(dispatch, at),
      status: delay === undefined ? 'FAILED' : 'WAITING',
      next_attempt: delay === undefined ? null : formatInstant(now + delay),
      response_status: status ?? null,
      error,
    })
    if (!isLeased) return undefined
    await markFailing(tx, calledWebhook(dispatch), at)
    if (!mayDisable) return undefined
    const changed = withClockOf(dispatch, deps.now)
    const change = { updated: formatInstant(changed), updated_session: by }
    const failing = await disableFailing(tx, calledWebhook(dispatch), failedSince, change)
    if (!failing) return undefined
    await recordEvent(tx, {
      instanceId: failing.instance_id,
      type: 'webhook.disabled',
      data: { instance_webhook: serializeWebhook(failing) },
      now: changed,
    })
    await queueWebhookDisabled(deps, tx, failing)
    return failing
  })
  if (disabled) deps.security.record('webhook_disabled', { instance: disabled.instance_id })
}

/** Names the columns of the webhook; each is part of the condition of an update. */
function calledWebhook({ instance_id, endpoint_id: id, url }: DeliveryMessage) {
  return { instance_id, id, url }
}

function attemptColumns({ attempts }: DeliveryMessage, now: string) {
  return { attempts: attempts + 1, last_attempt: now, updated: now }
}
