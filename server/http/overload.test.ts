import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { limitInFlight } from './overload.ts'

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return (path = '/', init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
}

/** Answers nobody until it is let go. */
function holding() {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let underWay = 0
  const listener: RequestListener = (request, response) => {
    underWay += 1
    // Probes and what comes later are answered at once.
    if (request.url !== '/held') return void response.end('answered')
    void held.then(() => response.end('answered'))
  }
  return { listener, release, underWay: () => underWay }
}

it('refuses what is beyond the limit with a time to come again, and answers the others', async () => {
  const { listener, release, underWay } = holding()
  const call = await serve(limitInFlight(3, listener))
  const held = [call('/held'), call('/held'), call('/held')]
  await expect.poll(underWay).toBe(3)
  const refused = await call('/next', { method: 'POST', body: 'x'.repeat(500_000) })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(((await refused.json()) as { error: object }).error).toMatchObject({ type: 'UNAVAILABLE' })
  expect(underWay()).toBe(3)
  expect(await (await call('/readyz')).text()).toBe('answered')
  release()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200])
  await expect.poll(async () => (await call('/next')).status).toBe(200)
})

it('counts nobody twice who hangs up before the answer', async () => {
  const { listener, underWay } = holding()
  const call = await serve(limitInFlight(1, listener))
  for (let turn = 1; turn <= 3; turn += 1) {
    const hangUp = new AbortController()
    await expect.poll(async () => (await call('/next')).status).toBe(200)
    const before = underWay()
    const held = call('/held', { signal: hangUp.signal }).catch(() => 'gone')
    await expect.poll(underWay).toBe(before + 1)
    hangUp.abort()
    expect(await held).toBe('gone')
  }
  await expect.poll(async () => (await call('/next')).status).toBe(200)
})

it('is no limit at 0', async () => {
  const { listener, release, underWay } = holding()
  const call = await serve(limitInFlight(0, listener))
  const held = Array.from({ length: 20 }, () => call('/held'))
  await expect.poll(underWay).toBe(20)
  release()
  await Promise.all(held)
})
