import { formatInstant } from '../../shared/rules/time.ts'
import { SYSTEM, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { withClockOf } from '../clock.ts'
import type { DeliveryError } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import type { OutboundResponse } from '../outbound/http-client.ts'
import { type Dispatch, updateDelivered, updateLeased } from './deliveries.ts'
import { serializeWebhook } from './serialize.ts'
import { retryDelay } from './retry-schedule.ts'
import { disableFailing, markFailing, markWorking } from './store.ts'

/** How long nothing but failures come back before a webhook is disabled. */
const FAILING_MAX_MS = 5 * 86_400_000
const GONE = 410

type Needs = Pick<Deps, 'db' | 'now' | 'security'>

/** Records what came of one attempt (contract section 16). */
export async function recordDeliveryAttempt(
  deps: Needs,
  dispatch: Dispatch,
  answer: OutboundResponse,
): Promise<void> {
  const error = errorOf(answer)
  if (error === null) await settleSuccess(deps, dispatch, answer)
  else await settleFailure(deps, dispatch, answer, error)
}

function errorOf({ status, fault }: OutboundResponse): DeliveryError | null {
  if (status === undefined) return fault
  if (status >= 200 && status <= 299) return null
  return status >= 300 && status <= 399 ? 'REDIRECT' : 'BAD_STATUS'
}

async function settleSuccess(
  deps: Needs,
  dispatch: Dispatch,
  { status }: OutboundResponse,
): Promise<void> {
  const now = formatInstant(deps.now())
  await inTransaction(deps.db, async (tx) => {
    await updateDelivered(tx, dispatch.id, {
      ...attempted(dispatch, now),
      status: 'DELIVERED',
      next_attempt: null,
      response_status: status ?? null,
      error: null,
      delivered: now,
    })
    await markWorking(tx, called(dispatch))
  })
}

async function settleFailure(
  deps: Needs,
  dispatch: Dispatch,
  { status }: OutboundResponse,
  error: DeliveryError,
): Promise<void> {
  const now = deps.now()
  const at = formatInstant(now)
  const delay = retryDelay(dispatch.attempts + 1)
  // Somebody who says that they are gone need not be asked for five days.
  const failedSince = status === GONE ? at : formatInstant(now - FAILING_MAX_MS)
  const mayDisable = (dispatch.failing_since ?? at) <= failedSince
  const by = mayDisable
    ? await withClockOf(dispatch, () =>
        findOrCreateActorSession(deps, dispatch.instance_id, SYSTEM),
      )
    : null
  const disabled = await inTransaction(deps.db, async (tx) => {
    const isOurs = await updateLeased(tx, dispatch, {
      ...attempted(dispatch, at),
      status: delay === undefined ? 'FAILED' : 'WAITING',
      next_attempt: delay === undefined ? null : formatInstant(now + delay),
      response_status: status ?? null,
      error,
    })
    if (!isOurs) return undefined
    await markFailing(tx, called(dispatch), at)
    if (!mayDisable) return undefined
    const changed = withClockOf(dispatch, deps.now)
    const change = { updated: formatInstant(changed), updated_session: by }
    const failing = await disableFailing(tx, called(dispatch), failedSince, change)
    if (!failing) return undefined
    await recordEvent(tx, {
      instanceId: failing.instance_id,
      type: 'webhook.disabled',
      data: { instance_webhook: serializeWebhook(failing) },
      now: changed,
    })
    return failing
  })
  if (disabled) deps.security.record('webhook_disabled', { instance: disabled.instance_id })
}

function called({ instance_id, endpoint_id: id, url }: Dispatch) {
  return { instance_id, id, url }
}

function attempted({ attempts }: Dispatch, now: string) {
  return { attempts: attempts + 1, last_attempt: now, updated: now }
}
