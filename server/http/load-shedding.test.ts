import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen } from '../../test/listen.ts'
import { openRaw } from '../../test/raw-http.ts'
import { shedLoad, type LoadLimits } from './load-shedding.ts'
import { closeUnreadBodies } from './unread-body.ts'

/** Serves with limits; the header `from` sets the network of a caller. */
async function serve(limits: Partial<LoadLimits>, listener: RequestListener) {
  const refused: string[] = []
  const load = shedLoad(
    {
      max: 0,
      networksOf: ({ headers }) =>
        headers['from'] === undefined ? [] : [{ network: headers['from'], factor: 1 }],
      refused: (limit, network) => refused.push(`${limit} ${network}`),
      ...limits,
    },
    listener,
  )
  const server = createServer(closeUnreadBodies(load.listener))
  const port = await listen(server)
  const call = (path = '/', init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { call, port, refused, isFull: load.isFull }
}

/** Responds to `/held` after a release, and to other requests after their body. */
function holding() {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let begun = 0
  const listener: RequestListener = (request, response) => {
    begun += 1
    request.resume()
    if (request.url === '/held') return void held.then(() => response.end('answered'))
    request.once('end', () => response.end('answered'))
  }
  return { listener, release, begun: () => begun }
}

describe('requests in progress', () => {
  it('are rejected beyond the limit with Retry-After, and the others succeed', async () => {
    const { listener, release, begun } = holding()
    const { call, refused, isFull } = await serve({ max: 3 }, listener)
    const held = [call('/held'), call('/held'), call('/held')]
    await expect.poll(begun).toBe(3)
    expect(isFull()).toBe(true)
    const response = await call('/next', { method: 'POST', body: 'x'.repeat(500_000) })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(((await response.json()) as { error: object }).error).toMatchObject({
      type: 'UNAVAILABLE',
    })
    expect(begun()).toBe(3)
    expect(refused).toEqual(['requests undefined'])
    expect(await (await call('/readyz')).text()).toBe('answered')
    release()
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200])
    await expect.poll(async () => (await call('/next')).status).toBe(200)
    expect(isFull()).toBe(false)
  })

  it('are counted once when their client disconnects before the response', async () => {
    const { listener, begun } = holding()
    const { call } = await serve({ max: 1 }, listener)
    for (let turn = 1; turn <= 3; turn += 1) {
      const hangUp = new AbortController()
      await expect.poll(async () => (await call('/next')).status).toBe(200)
      const before = begun()
      const held = call('/held', { signal: hangUp.signal }).catch(() => 'gone')
      await expect.poll(begun).toBe(before + 1)
      hangUp.abort()
      expect(await held).toBe('gone')
    }
    await expect.poll(async () => (await call('/next')).status).toBe(200)
  })

  it('have no limit at 0', async () => {
    const { listener, release, begun } = holding()
    const { call } = await serve({ max: 0 }, listener)
    const held = Array.from({ length: 20 }, () => call('/held'))
    await expect.poll(begun).toBe(20)
    release()
    await Promise.all(held)
  })
})

const HALF = 'Content-Length: 10\r\n\r\n12345'

async function halfSent(port: number, from: string) {
  const connection = await openRaw(port)
  connection.send(`POST / HTTP/1.1\r\nHost: x\r\nFrom: ${from}\r\n${HALF}`)
  return connection
}

describe('requests with an incomplete body', () => {
  it('do not count as requests in progress', async () => {
    const { listener, begun } = holding()
    const { call, port, isFull } = await serve({ max: 3 }, listener)
    const slow = [await halfSent(port, 'a'), await halfSent(port, 'b')]
    await expect.poll(begun).toBe(2)
    const responses = await Promise.all([call('/one'), call('/two'), call('/three')])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(isFull()).toBe(false)
    for (const { send } of slow) send('67890')
    for (const { received: heard } of slow) await expect.poll(heard).toContain(' 200 OK')
  })

  it('are rejected beyond the limit of their network only', async () => {
    const { listener, begun } = holding()
    const { call, port, refused, isFull } = await serve({ max: 50, bodiesPerNetwork: 3 }, listener)
    const slow = [await halfSent(port, 'a'), await halfSent(port, 'a'), await halfSent(port, 'a')]
    await expect.poll(begun).toBe(3)
    const beyond = await halfSent(port, 'a')
    await expect.poll(beyond.received).toMatch(/^HTTP\/1\.1 429 [^]*connection: close/i)
    expect(refused).toEqual(['network-bodies a'])
    const post = (from: string) => call('/', { method: 'POST', body: 'whole', headers: { from } })
    expect((await post('b')).status).toBe(200)
    expect((await call('/', { headers: { from: 'a' } })).status).toBe(200)
    expect(isFull()).toBe(false)
    slow[0]?.send('67890')
    await expect.poll(async () => (await post('a')).status).toBe(200)
  })

  it('are closed beyond the total limit, the oldest first, and no other request is rejected', async () => {
    const { listener, begun } = holding()
    const { call, port, refused, isFull } = await serve({ max: 3 }, listener)
    const slow = [await halfSent(port, 'a')]
    await expect.poll(begun).toBe(1)
    for (const from of ['b', 'c']) slow.push(await halfSent(port, from))
    await expect.poll(begun).toBe(3)
    expect((await call('/')).status).toBe(200)
    expect(isFull()).toBe(false)
    expect((await call('/', { method: 'POST', body: 'x' })).status).toBe(200)
    expect(await slow[0]?.closed).toBe('')
    expect(refused).toEqual(['bodies a'])
    slow[1]?.send('67890')
    await expect.poll(() => slow[1]?.received()).toContain(' 200 OK')
  })

  it('are no longer counted when their client disconnects', async () => {
    const { listener, begun } = holding()
    const { call, port } = await serve({ max: 9, bodiesPerNetwork: 1 }, listener)
    const slow = await halfSent(port, 'a')
    await expect.poll(begun).toBe(1)
    slow.socket.destroy()
    const post = () => call('/', { method: 'POST', body: 'x', headers: { from: 'a' } })
    await expect.poll(async () => (await post()).status).toBe(200)
  })

  it('do not include any number of requests that arrive in one piece', async () => {
    const { listener, release, begun } = holding()
    const { call } = await serve({ bodiesPerNetwork: 1 }, listener)
    const post = () => call('/held', { method: 'POST', body: 'x', headers: { from: 'a' } })
    const held = Array.from({ length: 20 }, post)
    await expect.poll(begun).toBe(20)
    release()
    for (const { status } of await Promise.all(held)) expect(status).toBe(200)
  })
})

it('a probe succeeds under full load, but not a request with another path like it', async () => {
  const { listener, begun } = holding()
  const { call, port } = await serve({ max: 1 }, listener)
  const held = call('/held').catch(() => undefined)
  await expect.poll(begun).toBe(1)
  expect((await call('/livez')).status).toBe(200)
  expect((await call('/readyz', { method: 'HEAD' })).status).toBe(200)
  const posing = await openRaw(port)
  posing.send(`POST /livez HTTP/1.1\r\nHost: x\r\n${HALF}`)
  await expect.poll(posing.received).toContain(' 503 ')
  void held
})
