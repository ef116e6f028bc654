import { boot } from '../boot.ts'
import { apiPath } from './request.ts'
import { invalidate } from './resource.ts'
import { readMessages } from './server-sent-events.ts'

/** An event of the instance, as `GET /events/stream` sends it. */
export interface LiveEvent {
  id: string
  type: string
  data: Readonly<Record<string, unknown>>
}

type Listener = (event: LiveEvent) => void

const listeners = new Set<Listener>()
/** Paths whose screens take new data in themselves. */
const held = new Set<string>()

/** Where the events begin that the answers in the document do not know. */
let begunAt = boot.first

const RETRY_MS = 1000
const RETRY_MAX_MS = 30_000

/** Calls `listener` with each event until the returned function is called. */
export function onLiveEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keeps the data at a path from changing by events, until the returned function is called. */
export function holdResource(path: string): () => void {
  held.add(path)
  return () => held.delete(path)
}

/**
 * Listens to the events of an instance while the page is visible and online, until `signal` aborts, and
 * goes on behind the last event after a break. Screens of records that an event names ask again.
 */
export async function listenToEvents(instance: string, signal: AbortSignal): Promise<void> {
  let last = begunAt?.instance === instance ? begunAt.lastEventId : null
  begunAt = null
  let failures = 0
  while (!signal.aborted) {
    await untilPresent(signal)
    const connection = new AbortController()
    const leave = () => {
      if (!isPresent() || signal.aborted) connection.abort()
    }
    for (const [target, event] of PRESENCE) target.addEventListener(event, leave)
    signal.addEventListener('abort', leave)
    const began = Date.now()
    try {
      const response = await fetch(apiPath(instance, '/events/stream'), {
        headers: {
          Accept: 'text/event-stream',
          'Checkstand-Console': boot.token,
          ...(last !== null && { 'Last-Event-ID': last }),
        },
        signal: connection.signal,
      })
      // The session is over, or its user may not read here.
      if (response.status === 401 || response.status === 403 || response.status === 404) return
      if (response.status === 400) {
        // The last event is gone: whatever is shown may be old.
        last = null
        invalidate((path) => path.startsWith(apiPath(instance, '/')))
      }
      if (!response.ok || !response.body) throw new Error(String(response.status))
      for await (const { id, data } of readMessages(response.body)) {
        last = id
        if (data !== '') publish(instance, JSON.parse(data) as LiveEvent)
      }
    } catch {
      // It begins again, as after an end.
    } finally {
      // A stream that ends at once, as behind some proxies, would begin again without a pause.
      const hasHeld = connection.signal.aborted || Date.now() - began > RETRY_MAX_MS
      failures = hasHeld ? 0 : failures + 1
      for (const [target, event] of PRESENCE) target.removeEventListener(event, leave)
      signal.removeEventListener('abort', leave)
    }
    if (isPresent() && !signal.aborted) await pause(failures)
  }
}

function publish(instance: string, event: LiveEvent): void {
  const ids = idsIn(event)
  const start = apiPath(instance, '/')
  invalidate(
    (path) => path.startsWith(start) && !held.has(path) && ids.some((id) => path.includes(id)),
  )
  for (const listener of listeners) listener(event)
}

/** The ids of the record of an event, and of those that it names. */
function idsIn({ data }: LiveEvent): string[] {
  return Object.values(data)
    .flatMap((record) => Object.values((record ?? {}) as Record<string, unknown>))
    .filter((value): value is string => typeof value === 'string' && /^[a-z]+_\w+_\w+$/.test(value))
}

const PRESENCE = [
  [document, 'visibilitychange'],
  [globalThis, 'online'],
  [globalThis, 'offline'],
] as const

/** A hidden page would hold one of the few connections that a browser opens to a host. */
const isPresent = () => document.visibilityState === 'visible' && navigator.onLine

function untilPresent(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isPresent() && !signal.aborted) return
      for (const [target, event] of PRESENCE) target.removeEventListener(event, check)
      signal.removeEventListener('abort', check)
      resolve()
    }
    for (const [target, event] of PRESENCE) target.addEventListener(event, check)
    signal.addEventListener('abort', check)
    check()
  })
}

function pause(failures: number): Promise<void> {
  const most = Math.min(RETRY_MS * 2 ** failures, RETRY_MAX_MS)
  return new Promise((resolve) => setTimeout(resolve, failures === 0 ? 0 : most * Math.random()))
}
