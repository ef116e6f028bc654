import { createServer, type RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { listen } from '../../test/listen.ts'
import { openRaw } from '../../test/raw-http.ts'
import { limitSlowReaders, type ReadingLimits } from './slow-readers.ts'

const LARGE = 'x'.repeat(20_000_000)
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

async function serve(limits: ReadingLimits, listener: RequestListener) {
  const refused: string[] = []
  let open = 0
  const server = createServer(
    limitSlowReaders(
      (request, response) => {
        open += 1
        response.once('close', () => (open -= 1))
        listener(request, response)
      },
      (limit) => refused.push(limit),
      limits,
    ),
  )
  const port = await listen(server)
  return { port, refused, open: () => open }
}

const slow = { unanswered: 4, ms: 60_000, bytesPerSecond: 1_000_000 }

it('a connection beyond the limit of pending requests is closed', async () => {
  const { port, refused, open } = await serve(slow, () => {})
  const connection = await openRaw(port)
  connection.send(GET.repeat(4))
  await expect.poll(open).toBe(4)
  connection.send(GET.repeat(1000))
  await connection.closed
  await expect.poll(open).toBe(0)
  expect(refused).toEqual(['pipelined'])
})

it('a connection may have any number of completed requests', async () => {
  const { port, refused } = await serve(slow, (_request, response) => response.end('ok'))
  const connection = await openRaw(port)
  for (let sent = 1; sent <= 10; sent += 1) {
    connection.send(GET)
    await expect.poll(() => connection.received().split('200 OK').length - 1).toBe(sent)
  }
  expect(refused).toEqual([])
})

it('a client that does not read its response is disconnected, and its slot is free', async () => {
  const limits = { unanswered: 4, ms: 50, bytesPerSecond: 1_000_000_000 }
  const { port, refused, open } = await serve(limits, (_request, response) => response.end(LARGE))
  const connection = await openRaw(port)
  connection.socket.pause()
  connection.send(GET.repeat(3))
  await expect.poll(() => refused, { timeout: 10_000 }).toEqual(['unread'])
  await expect.poll(open).toBe(0)
})

it('a slow client has time in proportion to its response', async () => {
  const limits = { unanswered: 4, ms: 50, bytesPerSecond: 1_000 }
  const { port, refused } = await serve(limits, (_request, response) => response.end(LARGE))
  const connection = await openRaw(port)
  connection.socket.pause()
  connection.send(GET)
  await new Promise((resolve) => setTimeout(resolve, 200))
  connection.socket.resume()
  await expect
    .poll(() => connection.received().length, { timeout: 20_000 })
    .toBeGreaterThan(LARGE.length)
  expect(refused).toEqual([])
})
