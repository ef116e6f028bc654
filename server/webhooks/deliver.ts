import { formatInstant } from '../../shared/rules/time.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { eventRecord } from '../events/envelope.ts'
import { createOutbound } from '../outbound/post.ts'
import { reachOf } from '../outbound/target.ts'
import type { Outbound } from '../outbound/post.ts'
import { findDispatch, leaseDue, listDueWebhooks } from './deliveries.ts'
import type { Dispatch } from './deliveries.ts'
import { settleDelivery } from './settle.ts'
import { signatureHeaders } from './sign.ts'

/** Longer than any attempt takes, so that a lease runs out only under a process that died. */
export const LEASE_MS = 30_000
/** Attempts at once: to one webhook, to one that fails, and to all together. */
const PER_WEBHOOK = 5
const PER_FAILING = 1
const IN_ALL = 200

export interface Deliverer {
  /** Begins what is due and what there is room for, and answers how many; waits for none of them. */
  begin: () => Promise<number>
  /** Resolves when something that was begun has ended, or else after so many milliseconds. */
  room: (waitMs: number) => Promise<void>
  /** Resolves when everything that was begun has ended. */
  ended: () => Promise<void>
}

/**
 * Sends what is due, for as long as somebody calls `begin` again and again. A receiver that is slow
 * fills its own few places and no others, and one that fails has a single place, so that nobody
 * waits for somebody else's receiver (contract section 16, complaint U-22).
 */
export function createDeliverer(
  deps: Deps,
  post: Outbound = createOutbound({ allow: deps.config.outboundAllow }),
): Deliverer {
  const underWay = new Set<Promise<void>>()
  const perWebhook = new Map<string, number>()

  async function begin(): Promise<number> {
    const now = deps.now()
    let free = IN_ALL - underWay.size
    const shares = []
    for (const { id, failing_since } of await listDueWebhooks(deps.db, formatInstant(now))) {
      const places = failing_since === null ? PER_WEBHOOK : PER_FAILING
      const limit = Math.min(free, places - (perWebhook.get(id) ?? 0))
      if (limit <= 0) continue
      free -= limit
      shares.push(beginFor(id, now, limit))
    }
    const begun = await Promise.all(shares)
    return begun.reduce((sum, count) => sum + count, 0)
  }

  async function beginFor(webhookId: string, now: number, limit: number): Promise<number> {
    const ids = await leaseDue(deps.db, webhookId, {
      now: formatInstant(now),
      until: formatInstant(now + LEASE_MS),
      limit,
    })
    for (const id of ids) track(webhookId, deliver(deps, post, id))
    return ids.length
  }

  function track(webhookId: string, sending: Promise<void>): void {
    perWebhook.set(webhookId, (perWebhook.get(webhookId) ?? 0) + 1)
    const ended = sending.finally(() => {
      underWay.delete(ended)
      const left = (perWebhook.get(webhookId) ?? 1) - 1
      if (left === 0) perWebhook.delete(webhookId)
      else perWebhook.set(webhookId, left)
    })
    underWay.add(ended)
  }

  return {
    begin,
    async room(waitMs) {
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs)
      })
      await Promise.race([patience, ...underWay])
      clearTimeout(timer)
    },
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** Sends everything that is due, each once, and waits for it. Answers how many were sent. */
export async function deliverDue(deps: Deps, post?: Outbound): Promise<number> {
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
async function deliver(deps: Deps, post: Outbound, id: string): Promise<void> {
  try {
    const dispatch = await findDispatch(deps.db, id)
    if (!dispatch) return
    deps.failpoint('delivery-leased')
    const answer = await post(requestOf(dispatch, deps.now(), deps.config))
    deps.failpoint('delivery-answered')
    if (answer.fault === 'ADDRESS_REFUSED') {
      deps.security.record('outbound_refused', { instance: dispatch.instance_id })
    }
    await settleDelivery(deps, dispatch, answer)
  } catch (error) {
    deps.log.error({ err: error, delivery: id }, 'a webhook could not be sent')
  }
}

/** The request, with the very bytes that were signed. */
function requestOf(dispatch: Dispatch, now: number, config: Config): Parameters<Outbound>[0] {
  const event = eventRecord(
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
