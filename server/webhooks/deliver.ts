import { formatInstant } from '../../shared/rules/time.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { serializeEvent } from '../events/serialize.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { createHttpClient, type HttpClient } from '../outbound/http-client.ts'
import { reachOf } from '../outbound/url-policy.ts'
import { type Dispatch, findDispatch, leaseDue, listDueWebhooks } from './deliveries.ts'
import { type Due, shareSlots } from './delivery-slots.ts'
import { recordDeliveryAttempt } from './record-attempt.ts'
import { signatureHeaders } from './sign.ts'

/** Longer than any attempt takes, so that a lease runs out only under a process that died. */
export const LEASE_MS = 30_000
export interface Deliverer {
  /** Begins what is due and has a place, and returns how many those are; waits for none of them. */
  begin: () => Promise<number>
  /** Resolves when everything that was begun has ended. */
  ended: () => Promise<void>
}

/**
 * Sends what is due each time that `begin` is called. A receiver that is slow fills its own few
 * places, and one that fails has a single place, so that none waits for another one's receiver.
 * `onEnded` is called after each attempt, which leaves its place to the next.
 */
export function createDeliverer(
  deps: Deps,
  post: HttpClient = createHttpClient({ allow: deps.config.outboundAllow }),
  onEnded: () => void = () => {},
): Deliverer {
  const underWay = new Set<Promise<void>>()
  const perWebhook = new Map<string, number>()
  const perInstance = new Map<string, number>()

  async function begin(): Promise<number> {
    const due = await listDueWebhooks(deps.db, formatInstant(deps.now()))
    const places = shareSlots(due, { all: underWay.size, perWebhook, perInstance })
    const open = due.filter(({ id }) => places.has(id))
    const begun = await mapConcurrently(open, (webhook) =>
      beginFor(webhook, places.get(webhook.id) ?? 0),
    )
    return begun.reduce((sum, count) => sum + count, 0)
  }

  async function beginFor(webhook: Due, limit: number): Promise<number> {
    const now = deps.now()
    const ids = await leaseDue(deps.db, webhook.id, {
      now: formatInstant(now),
      until: formatInstant(now + LEASE_MS),
      limit,
    })
    for (const id of ids) track(webhook, deliver(deps, post, id))
    return ids.length
  }

  function track({ id, instance_id }: Due, sending: Promise<void>): void {
    add(perWebhook, id, 1)
    add(perInstance, instance_id, 1)
    const ended = sending.finally(() => {
      underWay.delete(ended)
      add(perWebhook, id, -1)
      add(perInstance, instance_id, -1)
      onEnded()
    })
    underWay.add(ended)
  }

  return {
    begin,
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/** Sends everything that is due, each once, and waits for it. Answers how many were sent. */
export async function deliverDue(deps: Deps, post?: HttpClient): Promise<number> {
  const deliverer = createDeliverer(deps, post)
  let sent = 0
  for (;;) {
    const begun = await deliverer.begin()
    await deliverer.ended()
    if (begun === 0) return sent
    sent += begun
  }
}

/** Never throws: what cannot be recorded is sent again once its lease has run out. */
async function deliver(deps: Deps, post: HttpClient, id: string): Promise<void> {
  try {
    const dispatch = await findDispatch(deps.db, id)
    if (!dispatch) return
    deps.failpoint('delivery-leased')
    const answer = await post(requestOf(dispatch, deps.now(), deps.config))
    deps.failpoint('delivery-answered')
    if (answer.fault === 'ADDRESS_REFUSED') {
      deps.security.record('outbound_refused', { instance: dispatch.instance_id })
    }
    await recordDeliveryAttempt(deps, dispatch, answer)
  } catch (error) {
    deps.log.error({ err: error, delivery: id }, 'a webhook could not be sent')
  }
}

/** The request, with the very bytes that were signed. */
function requestOf(dispatch: Dispatch, now: number, config: Config): Parameters<HttpClient>[0] {
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
    localhost: reachOf(dispatch.instance_mode, config).localhost,
  }
}

/** The present secret first, and after a rotation the former one for as long as it is good. */
function secretsOf(dispatch: Dispatch, now: number): string[] {
  const { secret, previous_secret, previous_until } = dispatch
  const overlaps = previous_until !== null && formatInstant(now) < previous_until
  return previous_secret !== null && overlaps ? [secret, previous_secret] : [secret]
}
