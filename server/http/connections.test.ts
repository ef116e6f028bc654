import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { listen } from '../../test/listen.ts'
import { openRaw } from '../../test/raw-http.ts'
import { type ConnectionLimits, limitConnections } from './connections.ts'

/** Serves with limits; `from` is the network of connections, and optionally a wider one. */
async function serve(limits: ConnectionLimits, { isBehindProxy = true } = {}) {
  const refused: (string | undefined)[] = []
  let network: string | undefined = 'a'
  const server = createServer((_request, response) => response.end('ok'))
  const gate = limitConnections(
    server,
    {
      networksOf: () =>
        (network?.split(' ') ?? []).map((each, index) => ({ network: each, factor: 4 ** index })),
      isBehindProxy,
      refused: (from) => refused.push(from),
    },
    limits,
  )
  const port = await listen(server)
  const open = async (from: string | undefined) => {
    network = from
    const connection = await openRaw(port)
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n')
    return connection
  }
  const isAnswered = async ({
    send,
    received: heard,
    closed,
  }: Awaited<ReturnType<typeof open>>) => {
    send('\r\n')
    return Promise.race([
      closed.then(() => false),
      expect
        .poll(heard)
        .toContain('200 OK')
        .then(() => true),
    ])
  }
  return { open, isAnswered, refused, isFull: gate.isFull }
}

it('the connections of a network are limited, independently of others', async () => {
  const { open, isAnswered, refused } = await serve({ perNetwork: 2, max: 100, reserve: 1 })
  const first = await open('a')
  await open('a')
  const beyond = await open('a')
  await beyond.closed
  expect(refused).toEqual(['a'])
  expect(await isAnswered(await open('b'))).toBe(true)
  first.socket.destroy()
  await first.closed
  await expect.poll(async () => isAnswered(await open('a'))).toBe(true)
})

it('a wider network may have more connections, but at most half of all', async () => {
  const { open, isAnswered, refused } = await serve({ perNetwork: 2, max: 6, reserve: 0 })
  for (const from of ['a wide', 'a wide', 'b wide']) await open(from)
  const beyond = await open('c wide')
  await beyond.closed
  expect(refused).toEqual(['c'])
  expect(await isAnswered(await open('d'))).toBe(true)
})

it('proxies and internal machines have the total limit only, and a reserve beyond it', async () => {
  const { open, isAnswered, refused, isFull } = await serve({ perNetwork: 1, max: 3, reserve: 1 })
  for (let opened = 0; opened < 3; opened += 1) await open(undefined)
  await (
    await open('a')
  ).closed
  expect([refused, isFull()]).toEqual([['a'], false])
  const probe = await open(undefined)
  await expect.poll(isFull).toBe(true)
  await (
    await open(undefined)
  ).closed
  expect(refused).toEqual(['a', undefined])
  expect(await isAnswered(probe)).toBe(true)
})

it('a server without a proxy is full while it rejects clients', async () => {
  const limits = { perNetwork: 9, max: 2, reserve: 5 }
  const { open, refused, isFull } = await serve(limits, { isBehindProxy: false })
  await open('a')
  expect(isFull()).toBe(false)
  await open('b')
  await expect.poll(isFull).toBe(true)
  const beyond = await open('c')
  await beyond.closed
  expect(refused).toEqual(['c'])
})

it('idle connections are closed for new ones', async () => {
  const { open, isAnswered, refused } = await serve({ perNetwork: 9, max: 2, reserve: 0 })
  const kept = [await open('a'), await open('b')]
  for (const connection of kept) expect(await isAnswered(connection)).toBe(true)
  await (
    await open('c')
  ).closed
  await Promise.all(kept.map(({ closed }) => closed))
  expect(refused).toEqual(['c'])
  expect(await isAnswered(await open('c'))).toBe(true)
})
