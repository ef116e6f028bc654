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
/** In one transaction, while which others wait. */
const BATCH = 500

/**
 * Sends events to a webhook once more, or for the first time when it did not exist or was disabled
 * back then. Only what it asks for is sent. Answers how many events that are (contract section 16).
 *
 * A delivery that exists is begun again instead of a second one made: how an event stands with a
 * receiver has one answer, and a replay that is asked for twice is not sent twice. So it may also
 * be written in parts, and again when it broke off.
 */
export async function replayEvents(
  deps: Pick<Deps, 'db' | 'listReads' | 'realNow'>,
  instanceId: string,
  id: string,
  replay: Replay,
): Promise<number> {
  const webhook = await getWebhook(deps.db, instanceId, id)
  const wanted = wantedTypes(webhook, replay)
  if (replay.event != null) await checkWanted(deps, webhook, replay.event)
  const asked = {
    id: replay.event ?? undefined,
    types: wanted,
    from: instant(replay.from),
    to: instant(replay.to),
  }
  const found = await deps.listReads.inTurn(instanceId, (turn) =>
    turn.read('replay', (db) => listEventIds(db, instanceId, asked, REPLAY_MAX + 1)),
  )
  if (found.length > REPLAY_MAX) {
    throw invalid('replay', `matches more than ${REPLAY_MAX} events; narrow it with from and to`)
  }
  let queued = 0
  for (let start = 0; start < found.length; start += BATCH) {
    queued += await inTransaction(deps.db, async (tx) => {
      // The webhook may have been deleted, and old events removed, since they were found.
      await lockWebhook(tx, instanceId, id)
      const held = await lockEvents(tx, found.slice(start, start + BATCH))
      const pairs = held.map((event_id) => ({ instance_id: instanceId, endpoint_id: id, event_id }))
      await queueDeliveries(tx, pairs, { now: deps.realNow(), again: true })
      return held.length
    })
  }
  return queued
}

/** The types that are both asked for here and wanted by the webhook. */
function wantedTypes(webhook: WebhookRow, { type }: Replay): string[] {
  if (type != null && !isKnownPattern(type)) {
    throw invalid('replay.type', `matches no event type: ${type}`)
  }
  const asked = type == null ? EVENT_TYPES : EVENT_TYPES.filter((one) => matchesEvent([type], one))
  return asked.filter((one) => matchesEvent(patternsOf(webhook), one))
}

/** Somebody who names one event is told why it would not be sent. */
async function checkWanted(
  { db }: Pick<Deps, 'db'>,
  webhook: WebhookRow,
  eventId: string,
): Promise<void> {
  const event = await getEvent(db, webhook.instance_id, eventId)
  if (matchesEvent(patternsOf(webhook), event.type)) return
  throw invalidState(`The webhook is not subscribed to ${event.type}`)
}

/** In the form in which times are stored and compared. */
function instant(text: string | null | undefined): string | undefined {
  return text == null ? undefined : formatInstant(parseInstant(text) as number)
}
