import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from './listeners.ts'

const LOCAL = { port: 0, host: '127.0.0.1' }

async function open(at = LOCAL, count?: number) {
  const server = createServer((_, response) => response.end('hello'))
  const listening = await listen(server, at, count)
  const stop = async () => {
    server.closeAllConnections()
    await listening.stop()
  }
  onTestFinished(stop)
  return { ...listening, stop, url: `http://127.0.0.1:${listening.port}` }
}

it.each([1, 8])(
  'answers on each connection of %i listeners, and on none afterwards',
  async (count) => {
    const { url, stop } = await open(LOCAL, count)
    // Enough that every listener has one.
    const connections = Array.from({ length: 64 }, () =>
      fetch(url, { headers: { connection: 'close' } }).then((response) => response.text()),
    )
    expect(new Set(await Promise.all(connections))).toEqual(new Set(['hello']))
    await stop()
    await expect(fetch(url)).rejects.toThrow()
  },
)

it.each([
  [1, 8],
  [8, 1],
  [8, 8],
])('refuses a port that another program has, with %i and %i listeners', async (one, other) => {
  const { port } = await open(LOCAL, one)
  await expect(open({ ...LOCAL, port }, other)).rejects.toThrow('EADDRINUSE')
})
