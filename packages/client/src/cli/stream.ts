import type { CheckstandEvent } from '../webhooks.ts'
import { UsageError } from './usage.ts'

const RETRY_MS = 500
const RETRY_MAX_MS = 15_000

interface Streamed {
  /** Asked for each connection: a token may have another by then. */
  access: () => Promise<{ root: URL; authorization: string }>
  types?: string | undefined
  signal: AbortSignal
  /** Told when the connection is there, and each time that it is lost. */
  onState: (state: 'connected' | 'lost') => void
  fetch?: typeof fetch
}

/**
 * Yields the events of the instance as they happen, from now on. After a broken connection it goes on behind the last
 * event, so that none is lost or comes twice. Throws an Error when the server refuses.
 */
export async function* streamEvents({
  access,
  types,
  signal,
  onState,
  fetch: ask = fetch,
}: Streamed): AsyncGenerator<CheckstandEvent, void> {
  let last: string | undefined
  let failures = 0
  while (!signal.aborted) {
    const began = Date.now()
    try {
      const { root, authorization } = await access()
      const url = new URL(`${root.href}/events/stream`)
      if (types) url.searchParams.set('types', types)
      const response = await ask(url, {
        signal,
        headers: {
          Accept: 'text/event-stream',
          Authorization: authorization,
          ...(last !== undefined && { 'Last-Event-ID': last }),
        },
      })
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        throw new Refused(`${response.status} ${await response.text()}`)
      }
      if (!response.ok || !response.body) throw new Error(String(response.status))
      let isConnected = false
      for await (const { id, data } of messagesOf(response.body)) {
        // The first message says where the stream begins, so that nothing after it is lost.
        if (!isConnected) onState('connected')
        isConnected = true
        if (data !== '') yield JSON.parse(data) as CheckstandEvent
        // Only now, so that an event whose work was cut off comes again.
        last = id
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refused || error instanceof UsageError) throw error
      onState('lost')
    }
    // A stream that ends at once, as behind some proxies, would begin again without a pause.
    failures = Date.now() - began > RETRY_MAX_MS ? 0 : failures + 1
    if (failures > 0) {
      await pause(Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (failures - 1)), signal)
    }
  }
}

class Refused extends Error {}

/** Reads server-sent events: messages with `id` and `data`, or the `id` alone with which the stream goes on. */
async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string; data: string }, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const id = valueOf(block, 'id')
        if (id !== '') yield { id, data: valueOf(block, 'data') }
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function valueOf(block: string, field: string): string {
  return block
    .split('\n')
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''))
    .join('\n')
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
