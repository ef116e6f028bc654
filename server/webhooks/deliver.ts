import { formatInstant } from '../../shared/rules/time.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { serializeEvent } from '../events/serialize.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { createHttpClient, type HttpClient } from '../outbound/http-client.ts'
import { outboundPolicy } from '../outbound/url-policy.ts'
import {
  type DeliveryMessage,
  findDeliveryMessage,
  leaseDue,
  listDueWebhooks,
} from './deliveries.ts'
import { type DueWebhook, shareSlots } from './delivery-slots.ts'
import { recordDeliveryAttempt } from './record-attempt.ts'
import { signatureHeaders } from './signature.ts'

/** Longer than any attempt, so that a lease expires only when its process died. */
export const LEASE_MS = 30_000

export interface Deliverer {
  /** Starts due deliveries up to the concurrency limits. Returns the number without waiting. */
  start: () => Promise<number>
  /** Resolves when every started delivery has ended. */
  drain: () => Promise<void>
}

/**
 * Sends due deliveries at each `start`. Each webhook has a few slots of its own, and a failing one
 * has a single slot, so that no receiver delays another. `onEnded` is called after each attempt,
 * when its slot is free.
 */
export function createDeliverer(
  deps: Deps,
  post: HttpClient = createHttpClient({ allow: deps.config.outboundAllow }),
  onEnded: () => void = () => {},
): Deliverer {
  const inFlight = new Set<Promise<void>>()
  const perWebhook = new Map<string, number>()
  const perInstance = new Map<string, number>()

  async function start(): Promise<number> {
    const due = await listDueWebhooks(deps.db, formatInstant(deps.now()))
    const slots = shareSlots(due, { all: inFlight.size, perWebhook, perInstance })
    const open = due.filter(({ id }) => slots.has(id))
    const started = await mapConcurrently(open, (webhook) =>
      startFor(webhook, slots.get(webhook.id) ?? 0),
    )
    return started.reduce((sum, count) => sum + count, 0)
  }

  async function startFor(webhook: DueWebhook, limit: number): Promise<number> {
    const now = deps.now()
    const ids = await leaseDue(deps.db, webhook.id, {
      now: formatInstant(now),
      until: formatInstant(now + LEASE_MS),
      limit,
    })
    for (const id of ids) track(webhook, deliver(deps, post, id))
    return ids.length
  }

  function track({ id, instance_id }: DueWebhook, sending: Promise<void>): void {
    add(perWebhook, id, 1)
    add(perInstance, instance_id, 1)
    const ended = sending.finally(() => {
      inFlight.delete(ended)
      add(perWebhook, id, -1)
      add(perInstance, instance_id, -1)
      onEnded()
    })
    inFlight.add(ended)
  }

  return {
    start,
    async drain() {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/** Never throws. An attempt that cannot be recorded is repeated when its lease has expired. */
async function deliver(deps: Deps, post: HttpClient, id: string): Promise<void> {
  try {
    const dispatch = await findDeliveryMessage(deps.db, id)
    if (!dispatch) return
    deps.failpoint('delivery-leased')
    const response = await post(requestOf(dispatch, deps.now(), deps.config))
    deps.failpoint('delivery-answered')
    if (response.fault === 'ADDRESS_REFUSED') {
      deps.security.record('outbound_refused', { instance: dispatch.instance_id })
    }
    await recordDeliveryAttempt(deps, dispatch, response)
  } catch (error) {
    deps.log.error({ err: error, delivery: id }, 'webhook delivery failed')
  }
}

/** The body is the same bytes that are signed. */
function requestOf(
  dispatch: DeliveryMessage,
  now: number,
  config: Config,
): Parameters<HttpClient>[0] {
  const event = serializeEvent(
    {
      id: dispatch.event_id,
      type: dispatch.event_type,
      created: dispatch.event_created,
      data: dispatch.event_data,
    },
    dispatch.instance_key,
  )
  const body = Buffer.from(JSON.stringify({ event }))
  return {
    url: dispatch.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Checkstand',
      ...signatureHeaders({ id: dispatch.event_id, now, body }, secretsOf(dispatch, now)),
    },
    body,
    localhost: outboundPolicy(dispatch.instance_mode, config).localhost,
  }
}

/** The current secret first, then the previous one while its overlap lasts. */
function secretsOf(dispatch: DeliveryMessage, now: number): string[] {
  const { secret, previous_secret, previous_until } = dispatch
  const overlaps = previous_until !== null && formatInstant(now) < previous_until
  return previous_secret !== null && overlaps ? [secret, previous_secret] : [secret]
}
