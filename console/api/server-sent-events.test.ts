import { expect, it } from 'vitest'
import { readMessages } from './server-sent-events.ts'

const SENT = [
  'id: v1:place\n\n',
  'data: {"name":"Zoë – ünï"}\nid: evt_1_a\n\n',
  ': still here\n\n',
  'data: {}\nid: evt_2_b\n\n',
  'data: {"cut off',
].join('')

it.each([1, 2, 7, 1000])('messages are read from parts of %i bytes', async (size) => {
  const bytes = new TextEncoder().encode(SENT)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.slice(at, at + size))
      }
      controller.close()
    },
  })
  const read = []
  for await (const message of readMessages(body)) read.push(message)
  expect(read).toEqual([
    { id: 'v1:place', data: '' },
    { id: 'evt_1_a', data: '{"name":"Zoë – ünï"}' },
    { id: 'evt_2_b', data: '{}' },
  ])
})
