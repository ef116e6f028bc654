import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import type { Instance } from '../server/db/rows.ts'
import { type Checkstand, type CheckstandOptions, createCheckstand } from '../server/index.ts'
import { readConfig } from '../server/config.ts'
import { migrate } from '../server/db/migrate.ts'
import { openDatabase } from '../server/db/open.ts'
import type { Tables } from '../server/db/tables.ts'
import { createInstance, type NewInstance } from '../server/admin/create-instance.ts'
import { createLog } from '../server/observe/log.ts'
import { openTestDatabase, type Template } from './database.ts'
import { expectDocumented } from './openapi/expect-documented.ts'

/**
 * The whole product in this process, on a database of its own, with a clock that stands still
 * until a test moves it. Every answer, and every request that succeeds, is checked against the OpenAPI
 * document of the server, so a status, header or member that the document does not know fails a test
 * that was about something else.
 */

export const BASE = 'http://shop.test'

/** A database with the product's tables and nothing in them. */
export const MIGRATED: Template = {
  name: 'checkstand',
  async prepare(url) {
    const opened = await openDatabase<Tables>(url)
    await migrate(opened.db)
    await opened.close()
  },
}

export interface ApiResponse {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely; the document has checked them
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
  api: (path: string, call?: Call) => Promise<ApiResponse>
}

export interface TestApp {
  checkstand: Checkstand
  /** Calls any address, without credentials. */
  call: (path: string, call?: Call) => Promise<ApiResponse>
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
export async function startTestApp(
  settings: Record<string, string> = {},
  options: Pick<CheckstandOptions, 'hasDiskSpace'> = {},
): Promise<TestApp> {
  const database = await openTestDatabase(MIGRATED)
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
    ...options,
  })
  afterAll(async () => {
    await checkstand.close()
    await database.drop()
  })
  const call = createCaller(checkstand)
  const newMerchant = async (wanted: Partial<NewInstance> = {}): Promise<Merchant> => {
    const { instance, secretKey } = await createInstance(checkstand.deps, {
      merchant: `Merchant ${randomUUID()}`,
      key: 'default',
      name: 'Corner Shop',
      ...wanted,
    })
    return { instance, secretKey, api: merchantApi(call, { instance, secretKey }) }
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
export function merchantApi(
  call: TestApp['call'],
  { instance, secretKey }: Pick<Merchant, 'instance' | 'secretKey'>,
): Merchant['api'] {
  return (path, { headers, ...rest } = {}) =>
    call(`/c/api/instances/${instance.key}${path}`, {
      ...rest,
      headers: { authorization: basic(`${secretKey}:`), ...headers },
    })
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Calls a server in this process as `TestApp.call` does. */
export function createCaller({ fetch }: Pick<Checkstand, 'fetch'>): TestApp['call'] {
  return async (path, { method, body, raw, headers = {}, from } = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`${BASE}${path}`, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: { ...json, ...headers },
      ...(payload === undefined ? {} : { body: payload, duplex: 'half' }),
    })
    const { method: verb, url, headers: requestHeaders } = request
    const response = await fetch(
      request,
      from === undefined ? undefined : { incoming: { socket: { remoteAddress: from } } },
    )
    const answer = await read(response)
    expectDocumented({
      ...answer,
      method: verb,
      path: url.slice(BASE.length),
      requestHeaders,
      requestBody: textOf(payload),
    })
    return answer
  }
}

/** undefined for a stream, which was read. */
function textOf(payload: Call['raw']): string | undefined {
  if (payload instanceof Uint8Array) return new TextDecoder().decode(payload)
  return payload instanceof ReadableStream ? undefined : (payload ?? '')
}

async function read(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}
