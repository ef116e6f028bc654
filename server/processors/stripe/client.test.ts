import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import type { Stripe } from 'stripe'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStripeClient, Refused, type StripeClientSettings } from './client.ts'

const SECRET_KEY = `sk_test_${'canary'.repeat(5)}`
const CLIENT_SECRET = 'pi_1_secret_canary'

interface Received {
  method: string
  headers: IncomingMessage['headers']
  body: string
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const reset: Answer = (_response, request) => request.socket.resetAndDestroy()
const intent = { id: 'pi_1', object: 'payment_intent', client_secret: CLIENT_SECRET }
const declined = {
  error: { type: 'card_error', code: 'card_declined', message: 'No', payment_intent: intent },
}

/** Serves the answers in turn, the last of them for ever, and returns a client of it. */
async function openClient(answers: Answer[], given: Partial<StripeClientSettings> = {}) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      received.push({ method, headers, body: Buffer.concat(chunks).toString() })
      answers[Math.min(received.length, answers.length) - 1]?.(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lines: string[] = []
  const accepted: boolean[] = []
  const log = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const client = createStripeClient({
    secretKey: SECRET_KEY,
    apiUrl: url,
    account: undefined,
    log: { info: log, warn: log },
    onAuthentication: async (isAccepted) => void accepted.push(isAccepted),
    retryDelaysMs: [0, 0],
    ...given,
  })
  const confirm = (signal?: AbortSignal) =>
    client.call(
      'confirm payment intent',
      (stripe: Stripe, options) => stripe.paymentIntents.confirm('pi_1', {}, options),
      { key: 'at_1:confirm', signal },
    )
  const read = () =>
    client.call('read payment intent', (stripe, options) =>
      stripe.paymentIntents.retrieve('pi_1', {}, options),
    )
  const list = () =>
    client.call('list events', (stripe, options) => stripe.events.list({}, options))
  return { url, received, lines, accepted, confirm, read, list }
}

describe('a request', () => {
  it('names its version, its key and its sender, and tells nothing about earlier ones', async () => {
    const { confirm, read, received } = await openClient([json(200, intent)])
    await confirm()
    await confirm()
    await read()
    for (const { headers } of received) {
      expect(headers).toMatchObject({
        authorization: `Bearer ${SECRET_KEY}`,
        'stripe-version': '2026-08-26.dahlia',
        'user-agent': expect.stringMatching(/ Checkstand\/\d+\.\d+\.\d+/),
      })
      expect(headers).not.toHaveProperty('x-stripe-client-telemetry')
      expect(headers).not.toHaveProperty('stripe-account')
    }
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'at_1:confirm',
      'at_1:confirm',
      undefined,
    ])
  })

  it('acts for the connected account that is set', async () => {
    const { confirm, read, received } = await openClient([json(200, intent)], { account: 'acct_1' })
    await confirm()
    await read()
    expect(received.map(({ headers }) => headers['stripe-account'])).toEqual(['acct_1', 'acct_1'])
  })

  it.each<[string, Answer]>([
    ['a connection that is reset', reset],
    ['a connection that ends', (_response, request) => void request.socket.end()],
    ['409', json(409, { error: { type: 'idempotency_error', message: 'In use' } })],
    ['429', json(429, { error: { type: 'invalid_request_error', code: 'lock_timeout' } })],
    ['500', json(500, { error: { type: 'api_error' } })],
    ['503 in HTML', (response) => void response.writeHead(503).end('<html></html>')],
    ['200 in HTML', (response) => void response.writeHead(200).end('<html></html>')],
    ['404 in HTML', (response) => void response.writeHead(404).end('<html></html>')],
    ['400 without an error', json(400, {})],
    ['400 with a text for an error', json(400, { error: 'Bad request' })],
    ['502 of a proxy in JSON', json(502, { message: 'Bad gateway' })],
    ['200 without an object', json(200, { id: 'pi_1' })],
    ['200 with an error', json(200, { object: 'payment_intent', error: {} })],
    ['200 with a list', json(200, [])],
    ['200 with nothing', json(200, null)],
    ['204', (response) => void response.writeHead(204).end()],
  ])(
    'is sent three times with its key after %s, and then has no outcome',
    async (_what, answer) => {
      const { confirm, received } = await openClient([answer])
      const error = await confirm().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(Refused)
      expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(
        Array(3).fill('at_1:confirm'),
      )
      expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    },
  )

  it.each<[string, Answer]>([
    ['a connection that is reset', reset],
    ['500', json(500, { error: { type: 'api_error' } })],
  ])('is not sent again by the SDK after %s', async (_what, answer) => {
    const { confirm, read, received } = await openClient([answer], { retryDelaysMs: [] })
    await expect(confirm()).rejects.toThrow('no clear answer')
    await expect(read()).rejects.toThrow('no clear answer')
    expect(received.length).toBe(2)
  })

  it('has the answer of its repetition', async () => {
    const { confirm, received } = await openClient([reset, json(200, intent)])
    expect(await confirm()).toMatchObject({ id: 'pi_1' })
    expect(received.length).toBe(2)
  })

  it('is not repeated when Stripe says so', async () => {
    const answer = json(500, { error: { type: 'api_error' } }, { 'Stripe-Should-Retry': 'false' })
    const { confirm, received } = await openClient([answer])
    await expect(confirm()).rejects.toThrow('no clear answer')
    expect(received.length).toBe(1)
  })

  it('waits before a repetition as long as Stripe says', async () => {
    const busy = json(429, { error: { type: 'api_error' } }, { 'Retry-After': '0.2' })
    const { confirm } = await openClient([busy, json(200, intent)])
    const startedAt = performance.now()
    await confirm()
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(190)
  })

  it.each([
    [400, { error: { type: 'invalid_request_error', code: 'parameter_missing' } }],
    [402, declined],
    [404, { error: { type: 'invalid_request_error', code: 'resource_missing' } }],
  ])('is sent once when it is refused with %i', async (status, body) => {
    const { confirm, received } = await openClient([json(status, body)])
    const error = await confirm().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refused)
    expect(error).toMatchObject({ status, code: body.error.code })
    expect(received.length).toBe(1)
  })

  it('is not sent after its signal is aborted', async () => {
    const ended = new AbortController()
    const { confirm, received } = await openClient([
      (_response, request) => {
        ended.abort()
        request.socket.resetAndDestroy()
      },
    ])
    await expect(confirm(ended.signal)).rejects.toThrow('aborted')
    await expect(confirm(ended.signal)).rejects.toThrow('aborted')
    expect(received.length).toBe(1)
  })

  it('does not follow a redirect', async () => {
    const other = await openClient([json(200, intent)])
    for (const status of [301, 302, 303, 307, 308]) {
      const { confirm } = await openClient([
        (response) => void response.writeHead(status, { Location: other.url }).end(),
      ])
      await expect(confirm()).rejects.toThrow('no clear answer')
    }
    expect(other.received).toEqual([])
  })

  it('has no outcome when the answer is longer than a megabyte', async () => {
    const answer = (length: number) => json(200, { ...intent, padding: 'x'.repeat(length) })
    const long = await openClient([answer(1_000_000)])
    await expect(long.confirm()).rejects.toThrow('no clear answer')
    const short = await openClient([answer(900_000)])
    expect(await short.confirm()).toMatchObject({ id: 'pi_1' })
  })
})

it.each<[string, Answer, boolean[]]>([
  ['200', json(200, intent), [true]],
  ['402', json(402, declined), [true]],
  ['401', json(401, { error: { type: 'invalid_request_error' } }), [false]],
  [
    '403 for the account of the key',
    json(403, { error: { type: 'invalid_request_error', code: 'account_invalid' } }),
    [false],
  ],
  ['403 for a payment', json(403, { error: { type: 'invalid_request_error' } }), [false]],
  ['500', json(500, { error: { type: 'api_error' } }), []],
  ['a connection that is reset', reset, []],
])('tells after %s whether the key was accepted', async (_what, answer, expected) => {
  const { confirm, accepted } = await openClient([answer])
  await confirm().catch(() => {})
  expect(accepted).toEqual(expected)
})

it('is told of a missing permission until the call that lacks it is accepted', async () => {
  const lacking = json(403, { error: { type: 'invalid_request_error' } })
  const answers = [lacking, json(200, intent), lacking, json(200, intent), json(200, intent)]
  const { confirm, read, accepted } = await openClient(answers)
  for (const call of [confirm, read, confirm, confirm, read]) await call().catch(() => {})
  expect(accepted).toEqual([false, false, true, true])
})

it('is not told of a permission that no payment needs', async () => {
  const lacking = json(403, { error: { type: 'invalid_request_error' } })
  const { list, accepted } = await openClient([lacking])
  for (let n = 0; n < 6; n += 1) await list().catch(() => {})
  expect(accepted).toEqual([])
})

it.each<[string, Answer]>([
  ['a decline', json(402, declined)],
  [
    'a key that is quoted',
    json(401, {
      error: {
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${SECRET_KEY}, for ${CLIENT_SECRET}`,
      },
    }),
  ],
  ['500', json(500, { error: { type: 'api_error', message: SECRET_KEY, payment_intent: intent } })],
  ['HTML', (response) => void response.writeHead(200).end(`<p>${SECRET_KEY} ${CLIENT_SECRET}</p>`)],
  ['a connection that is reset', reset],
])('keeps secrets out of errors and the log after %s', async (_what, answer) => {
  const { confirm, lines } = await openClient([answer])
  const error = await confirm().catch((thrown: unknown) => thrown)
  const shown = inspect(error, { depth: Infinity, showHidden: true, getters: true })
  expect(shown + JSON.stringify(error)).not.toContain('canary')
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('')).not.toContain('canary')
})
