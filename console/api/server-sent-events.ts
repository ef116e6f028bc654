export interface Message {
  id: string
  /** Empty where the stream only says with which id it goes on. */
  data: string
}

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as the API
 * sends them: messages with `id`, and mostly `data`. `EventSource` cannot send the header of the
 * console.
 */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
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
