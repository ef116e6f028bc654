import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { listen } from '../../../test/listen.ts'
import { sampleEvent, signEvent, TEST_SECRET } from '../src/testing.ts'
import {
  type CheckstandEvent,
  express,
  handle,
  isNewer,
  type Secrets,
  verify,
  type WebhookVerificationError,
} from '../src/webhooks.ts'

const OTHER_SECRET = 'whsec_b3RoZXIgc2VjcmV0IG9mIGEgd2ViaG9vayE='
const paid = sampleEvent('payment_link.payment_success', { payment_link: { id: 'pl_1', v: 3 } })

async function reasonOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => undefined,
    (thrown: WebhookVerificationError) => thrown,
  )
  expect(error?.message.length).toBeGreaterThan(40)
  return error?.reason ?? 'VERIFIED'
}

describe('a request', () => {
  it('is verified as other libraries sign it, and signed as they verify it', async () => {
    const body = JSON.stringify({ event: paid })
    const now = new Date()
    const signature = new Webhook(TEST_SECRET).sign('evt_1', now, body)
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': `v1,AAAA ${signature}`,
    }
    const event = await verify(body, new Headers(headers), TEST_SECRET)
    expect(event).toEqual(paid)
    if (event.type === 'payment_link.payment_success') {
      expectTypeOf(event.data.payment_link.id).toBeString()
    }
    const signed = await signEvent(paid)
    expect(new Webhook(TEST_SECRET).verify(signed.body, signed.headers)).toEqual({ event: paid })
  })

  it('is taken as bytes, and by one of several secrets', async () => {
    const { body, headers } = await signEvent(paid)
    const secrets: Secrets = [OTHER_SECRET, TEST_SECRET]
    expect(await verify(new TextEncoder().encode(body), headers, secrets)).toEqual(paid)
  })

  it('that is refused says what the mistake is', async () => {
    const { body, headers } = await signEvent(paid)
    const now = Date.now()
    const parsed = JSON.parse(body) as string
    expect(await reasonOf(verify(parsed, headers, TEST_SECRET))).toBe('PARSED_BODY')
    expect(await reasonOf(verify(body, headers, 'sk_test_1'))).toBe('SECRET_FORM')
    expect(await reasonOf(verify(body, headers, 'whsec_!'))).toBe('SECRET_FORM')
    expect(await reasonOf(verify(body, {}, TEST_SECRET))).toBe('NO_SIGNATURE')
    expect(await reasonOf(verify(body, headers, TEST_SECRET, { now: now + 400_000 }))).toBe(
      'OLD_TIMESTAMP',
    )
    expect(await reasonOf(verify(body, headers, TEST_SECRET, { now: now - 400_000 }))).toBe(
      'EARLY_TIMESTAMP',
    )
    expect(await reasonOf(verify(body, headers, OTHER_SECRET))).toBe('WRONG_SIGNATURE')
    const formatted = JSON.stringify(JSON.parse(body), null, 2)
    expect(await reasonOf(verify(formatted, headers, TEST_SECRET))).toBe('WRONG_SIGNATURE')
    const odd = { ...headers, 'webhook-timestamp': 'yesterday' }
    expect(await reasonOf(verify(body, odd, TEST_SECRET))).toBe('EARLY_TIMESTAMP')
  })
})

describe('a handler', () => {
  it('is called by type, by kind and with all, and answers 204', async () => {
    const called: string[] = []
    const note = (name: string) => (event: CheckstandEvent) =>
      void called.push(`${name} ${event.id}`)
    const { body, headers } = await signEvent(paid)
    const request = new Request('https://shop.example/hooks', { method: 'POST', body, headers })
    const response = await handle(request, {
      secret: TEST_SECRET,
      on: {
        'payment_link.payment_success': ({ id, data }) =>
          void called.push(`${data.payment_link.id} ${id}`),
        'payment_link.*': note('kind'),
        '*': note('all'),
        'payment.*': note('other'),
      },
    })
    expect(response.status).toBe(204)
    expect(called).toEqual([`pl_1 ${paid.id}`, `kind ${paid.id}`, `all ${paid.id}`])
  })

  it('that throws makes the event come again; a forged request is refused', async () => {
    const errors: unknown[] = []
    const ask = async (secret: string) => {
      const { body, headers } = await signEvent(paid)
      const request = new Request('https://shop.example/hooks', { method: 'POST', body, headers })
      const on = {
        '*': () => {
          throw new Error('The database is away')
        },
      }
      const { status } = await handle(request, {
        secret,
        on,
        onError: (error) => errors.push(error),
      })
      return status
    }
    expect(await ask(TEST_SECRET)).toBe(500)
    expect(await ask(OTHER_SECRET)).toBe(400)
    expect(await ask('none')).toBe(500)
    expect(errors).toHaveLength(3)
  })

  it('of Node reads the body itself, or takes that of express.raw()', async () => {
    const got: string[] = []
    const receive = express({ secret: TEST_SECRET, on: { '*': ({ type }) => void got.push(type) } })
    const server = createServer((request, response) => {
      if (request.url === '/parsed') Object.assign(request, { body: { event: paid } })
      void receive(request, response)
    })
    const base = `http://127.0.0.1:${await listen(server)}`
    const { body, headers } = await signEvent(paid)
    const post = (path: string) => fetch(base + path, { method: 'POST', body, headers })
    expect((await post('/')).status).toBe(204)
    expect(got).toEqual(['payment_link.payment_success'])
    const parsed = await post('/parsed')
    expect([parsed.status, await parsed.text()]).toEqual([500, 'PARSED_BODY'])
  })
})

it('tells a newer record from an older one', () => {
  expect(isNewer({ v: 2 }, undefined)).toBe(true)
  expect(isNewer({ v: 2 }, { v: 1 })).toBe(true)
  expect(isNewer({ v: 2 }, { v: 2 })).toBe(false)
  expect(isNewer({ v: 1 }, { v: 2 })).toBe(false)
})
