import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen } from '../../test/listen.ts'
import { openRaw } from '../../test/raw-http.ts'
import { createHttpServer, SERVER_LIMITS, type ServerLimits } from './http-server.ts'

/** Serves with limits. Returns the port. */
const serve = (listener: RequestListener, limits: ServerLimits = SERVER_LIMITS) =>
  listen(createHttpServer(listener, limits))

/** Sends text and returns everything received until the server disconnects. */
async function sendAndWait(port: number, text: string): Promise<string> {
  const { send, closed } = await openRaw(port)
  send(text)
  return closed
}

const QUICK = { ...SERVER_LIMITS, connectionsCheckingInterval: 20 }
const LATE = /^HTTP\/1\.1 408 Request Timeout\r\n[^]*Connection: close/

describe('a connection', () => {
  it('that never finishes its headers is closed with 408', async () => {
    let requests = 0
    const limits = { ...QUICK, headersTimeout: 100, requestTimeout: 600_000 }
    const port = await serve(() => void (requests += 1), limits)
    expect(await sendAndWait(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toMatch(LATE)
    expect(requests).toBe(0)
  })

  it('that sends nothing is closed', async () => {
    const limits = { ...QUICK, headersTimeout: 100, requestTimeout: 600_000 }
    expect(await sendAndWait(await serve(() => {}, limits), '')).toMatch(LATE)
  })

  it('that never finishes its body is closed with 408', async () => {
    const limits = { ...QUICK, headersTimeout: 100, requestTimeout: 200 }
    const listener: RequestListener = (request) => request.resume()
    const port = await serve(listener, limits)
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n'
    expect(await sendAndWait(port, `${head}12345`)).toMatch(LATE)
  })

  it('that sends 64 kB of request line and headers gets 431', async () => {
    const port = await serve((_request, response) => response.end())
    const ask = (bytes: number) =>
      sendAndWait(port, `GET / HTTP/1.0\r\nX: ${'x'.repeat(bytes)}\r\n\r\n`)
    expect(await ask(65_000)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ask(65_536)).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('may send criteria of 16 000 percent-encoded characters', async () => {
    const port = await serve(({ url = '' }, response) => response.end(String(url.length)))
    const criteria = encodeURIComponent('='.repeat(16_000))
    const response = await fetch(`http://127.0.0.1:${port}/?criteria=${criteria}`)
    expect([response.status, await response.text()]).toEqual([
      200,
      String('/?criteria='.length + 48_000),
    ])
  })
})

it('a keep-alive connection may be idle for longer than the header timeout', async () => {
  const limits = { ...QUICK, headersTimeout: 100, requestTimeout: 200, keepAliveTimeout: 60_000 }
  const port = await serve((_request, response) => response.end('answered'), limits)
  const { send, received: heard } = await openRaw(port)
  const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  send(ask)
  await expect.poll(heard).toMatch(/Keep-Alive: timeout=60\r\n[^]*answered$/)
  // Several times the timeouts of headers and requests.
  await new Promise((resolve) => setTimeout(resolve, 600))
  send(ask)
  await expect.poll(heard).toMatch(/answered[^]*answered$/)
})

it('the keep-alive timeout of 75 seconds is longer than that of load balancers', () => {
  expect(createHttpServer(() => {}).keepAliveTimeout).toBe(75_000)
})

it('the timeouts are ten seconds for headers and thirty for requests, within one second', () => {
  const server = createHttpServer(() => {})
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000])
  expect(SERVER_LIMITS.connectionsCheckingInterval).toBeLessThanOrEqual(1000)
})
