import type { SSEStreamingApi } from 'hono/streaming'
import type { EventType } from '../events/event-types.ts'
import { serializeEvent } from '../events/serialize.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { lastEventId } from './last-event-id.ts'
import { type Place, readEventsAfter } from './store.ts'
import { createWaker } from './waker.ts'

/** Other processes commit events without waking this one. */
const LOOK_MS = 1000
/** Proxies close connections on which nothing is sent. */
const QUIET_MS = 15_000
/** A key or session that has ended reads for this long at most. */
const LIFETIME_MS = 5 * 60_000
const BATCH = 100

export interface StreamRequest {
  instance: Instance
  types: ReadonlySet<EventType>
  after: Place
  /** False to end after what is there already. */
  follow: boolean
  /** The server is shutting down. */
  draining: () => boolean
}

/**
 * Writes the events behind a place until the client leaves, the server shuts down, or five minutes are
 * over; clients then connect again and go on behind the last event.
 */
export async function streamEvents(
  deps: Pick<Deps, 'db' | 'keyedDigest'>,
  stream: SSEStreamingApi,
  { instance, types, after, follow, draining }: StreamRequest,
): Promise<void> {
  const waker = createWaker()
  stream.onAbort(waker.wake)
  const started = performance.now()
  let written = started
  let place = after
  // Without data it is no message, but clients connect again with it, as behind an event.
  const writePlace = () => stream.write(`id: ${lastEventId(deps, instance.id, place)}\n\n`)
  try {
    // Sends the headers too, so that the client knows that it is connected.
    await writePlace()
    while (!stream.aborted) {
      const { events, place: next } = await readEventsAfter(deps.db, instance.id, place, BATCH)
      place = next
      for (const event of events) {
        if (!types.has(event.type as EventType)) continue
        const data = JSON.stringify(serializeEvent(event, instance.key))
        await stream.writeSSE({ id: event.id, data })
        written = performance.now()
      }
      if (events.length === BATCH) continue
      const now = performance.now()
      if (!follow || draining() || now - started > LIFETIME_MS) return
      if (now - written >= QUIET_MS) {
        await writePlace()
        written = now
      }
      await waker.wait(LOOK_MS)
    }
  } finally {
    waker.stop()
  }
}
