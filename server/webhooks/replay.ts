import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { Replay } from '../../shared/schemas/webhook.ts'
import type { Deps } from '../deps.ts'
import { EVENT_TYPES } from '../events/event-types.ts'
import { getEvent, lockEvents, listEventIds } from '../events/store.ts'
import { inTransaction } from '../db/transaction.ts'
import { invalid, invalidState } from '../errors.ts'
import { queueDeliveries } from './deliveries.ts'
import { isKnownPattern, matchesEvent } from './patterns.ts'
import { patternsOf } from './serialize.ts'
import { getWebhook, lockWebhook, type WebhookRow } from './store.ts'

const REPLAY_MAX = 10_000
/** Events in one transaction. */
const BATCH = 500

/**
 * Sends events of the webhook's types again, or for the first time when the webhook did not exist
 * or was disabled. Returns the number of events.
 *
 * An existing delivery restarts, so an event has one delivery per webhook and a repeated replay
 * sends nothing twice. The batches may therefore commit one by one.
 */
export async function replayEvents(
  deps: Pick<Deps, 'db' | 'listReads' | 'realNow'>,
  instanceId: string,
  id: string,
  replay: Replay,
): Promise<number> {
  const webhook = await getWebhook(deps.db, instanceId, id)
  const types = replayedTypes(webhook, replay)
  if (replay.event != null) await requireSubscribed(deps, webhook, replay.event)
  const query = {
    id: replay.event ?? undefined,
    types,
    from: instant(replay.from),
    to: instant(replay.to),
  }
  const found = await deps.listReads.inTurn(instanceId, (turn) =>
    turn.read('replay', (db) => listEventIds(db, instanceId, query, REPLAY_MAX + 1)),
  )
  if (found.length > REPLAY_MAX) {
    throw invalid('replay', `matches more than ${REPLAY_MAX} events; narrow it with from and to`)
  }
  let queued = 0
  for (let start = 0; start < found.length; start += BATCH) {
    queued += await inTransaction(deps.db, async (tx) => {
      // Since the query, the webhook may have been deleted and old events pruned.
      await lockWebhook(tx, instanceId, id)
      const locked = await lockEvents(tx, found.slice(start, start + BATCH))
      const deliveries = locked.map((event_id) => ({
        instance_id: instanceId,
        endpoint_id: id,
        event_id,
      }))
      await queueDeliveries(tx, deliveries, { now: deps.realNow(), resend: true })
      return locked.length
    })
  }
  return queued
}

/** The requested types to which the webhook subscribes. */
function replayedTypes(webhook: WebhookRow, { type, event }: Replay): string[] {
  if (type != null && !isKnownPattern(type)) {
    throw invalid('replay.type', `is ${type}, which is not an event type`)
  }
  const requested =
    type == null ? EVENT_TYPES : EVENT_TYPES.filter((one) => matchesEvent([type], one))
  // A test is for one webhook and for no types, so only its id sends it again.
  return requested.filter((one) =>
    one === 'webhook.test' ? event != null : matchesEvent(patternsOf(webhook), one),
  )
}

/** Throws 400 when the webhook does not subscribe to the type of a single event. */
async function requireSubscribed(
  { db }: Pick<Deps, 'db'>,
  webhook: WebhookRow,
  eventId: string,
): Promise<void> {
  const event = await getEvent(db, webhook.instance_id, eventId)
  if (event.type === 'webhook.test' || matchesEvent(patternsOf(webhook), event.type)) return
  throw invalidState(`The webhook does not subscribe to ${event.type}`)
}

function instant(text: string | null | undefined): string | undefined {
  return text == null ? undefined : formatInstant(parseInstant(text) as number)
}
