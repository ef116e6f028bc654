import { randomUUID } from 'node:crypto'
import { afterAll, expect } from 'vitest'
import type { z } from 'zod'
import { createCheckstand } from '../index.ts'
import type { Checkstand } from '../index.ts'
import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { createInstance } from '../instances/create.ts'
import type { NewInstance } from '../instances/create.ts'
import type { Instance } from '../instances/store.ts'
import { createLog } from '../observe/log.ts'
import { openTestDatabase } from './database.ts'

/**
 * The whole product in this process, on a database of its own, with a clock that stands still
 * until a test moves it. Every answer is read with the schema of its route, so a member that the
 * description does not know fails a test that was about something else.
 */

export const BASE = 'http://shop.test'

export interface Answer {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely; the route's schema has checked them
  json: any
}

export interface Call {
  method?: string
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array | ReadableStream<Uint8Array>
  headers?: Record<string, string>
  /** The address at the other end of the connection; without it the call comes from within. */
  from?: string
}

export interface Merchant {
  instance: Instance
  secretKey: string
  /** Calls the merchant's API: `/payment_links`, with the secret key. */
  api: (path: string, call?: Call) => Promise<Answer>
}

export interface TestApp {
  checkstand: Checkstand
  /** Calls any address, without credentials. */
  call: (path: string, call?: Call) => Promise<Answer>
  merchant: Merchant
  newMerchant: (wanted?: Partial<NewInstance>) => Promise<Merchant>
  /** Epoch milliseconds of the still clock. */
  now: () => number
  pass: (ms: number) => void
  /** Every line that was logged. */
  logged: () => string
}

/**
 * Starts one for the tests of a file; it is closed and its database dropped after them. `settings`
 * are those of the environment. Payers need not wait before their first submit, because the clock
 * stands still.
 */
export async function startTestApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const database = await openTestDatabase({ name: 'checkstand', prepare: migrateOnce })
  let clock = Date.parse('2030-05-01T12:00:00.000Z')
  const lines: string[] = []
  const checkstand = await createCheckstand({
    config: readConfig({
      BASE_URL: BASE,
      DATABASE_URL: database.url,
      PAYER_PAUSE_MS: '0',
      API_RATE: '0',
      ...settings,
    }),
    now: () => clock,
    log: createLog('trace', { write: (line: string) => lines.push(line) }),
  })
  afterAll(async () => {
    await checkstand.close()
    await database.drop()
  })
  const call = caller(checkstand)
  const newMerchant = async (wanted: Partial<NewInstance> = {}): Promise<Merchant> => {
    const { instance, secretKey } = await createInstance(checkstand.deps, {
      merchant: `Merchant ${randomUUID()}`,
      key: 'default',
      name: 'Corner Shop',
      ...wanted,
    })
    return { instance, secretKey, api: apiOf(call, { instance, secretKey }) }
  }
  return {
    checkstand,
    call,
    merchant: await newMerchant(),
    newMerchant,
    now: () => clock,
    pass: (ms) => {
      clock += ms
    },
    logged: () => lines.join(''),
  }
}

/** Calls the merchant's API through a server with their key. */
export function apiOf(
  call: TestApp['call'],
  { instance, secretKey }: Pick<Merchant, 'instance' | 'secretKey'>,
): Merchant['api'] {
  return (path, { headers, ...rest } = {}) =>
    call(`/c/api/instances/${instance.key}${path}`, {
      ...rest,
      headers: { authorization: basic(`${secretKey}:`), ...headers },
    })
}

async function migrateOnce(url: string): Promise<void> {
  const opened = await openDatabase<Tables>(url)
  await migrate(opened.db)
  await opened.close()
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Calls a server in this process as `TestApp.call` does. */
export function caller({ fetch, mounts }: Checkstand): TestApp['call'] {
  const routes = mounts.flatMap(({ prefix, routes: mounted }) =>
    mounted.map((route) => ({ route, pattern: pathPattern(prefix + route.path) })),
  )
  return async (path, { method, body, raw, headers = {}, from } = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const verb = method ?? (payload === undefined ? 'GET' : 'POST')
    const response = await fetch(
      new Request(`${BASE}${path}`, {
        method: verb,
        headers: { ...json, ...headers },
        ...(payload === undefined ? {} : { body: payload, duplex: 'half' }),
      }),
      from === undefined ? undefined : { incoming: { socket: { remoteAddress: from } } },
    )
    const answer = await read(response)
    const matched = routes.find(
      ({ route, pattern }) =>
        route.method.toUpperCase() === verb && pattern.test(path.split('?')[0] as string),
    )
    if (matched) checkAnswer(`${verb} ${path}`, matched.route.responses, answer)
    return answer
  }
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}

/** Statuses that a route may answer without naming them. */
const EVERYWHERE = new Set([400, 401, 403, 404, 405, 421, 429, 503])

function checkAnswer(
  call: string,
  responses: Record<number, z.ZodType | null | 'html' | 'svg'>,
  answer: Answer,
): void {
  if (!Object.hasOwn(responses, answer.status)) {
    expect(EVERYWHERE, `${call} answered ${answer.status}: ${answer.text}`).toContain(answer.status)
    return
  }
  const schema = responses[answer.status]
  if (schema === null) expect(answer.text, call).toBe('')
  else if (schema === 'html') expect(answer.text, call).toContain('<!doctype html>')
  else if (schema === 'svg') expect(answer.text, call).toContain('</svg>')
  else expect(schema?.safeParse(answer.json).error, `${call}: ${answer.text}`).toBeUndefined()
}
