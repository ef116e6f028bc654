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
      failures = 0
      onState('connected')
      for await (const { id, data } of messagesOf(response.body)) {
        yield (
          (JSON.parse(data) as { event?: CheckstandEvent }).event ??
            (JSON.parse(data) as CheckstandEvent)
        )
        // Only now, so that an event whose work was cut off comes again.
        last = id
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refused || error instanceof UsageError) throw error
      failures += 1
      onState('lost')
      await pause(Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (failures - 1)), signal)
    }
  }
}

class Refused extends Error {}

/** Reads server-sent events: messages with `id` and `data`, and comments. */
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
        const data = valueOf(block, 'data')
        if (data !== '') yield { id: valueOf(block, 'id'), data }
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
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
