import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { basic } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import type { Json } from '../../test/payments-client.ts'
import { type Program, PROGRAM_KEY, startProgram, until } from '../../test/program.ts'

/** The program under a fault, and a merchant's requests to it. */
export interface TestServer {
  program: Program
  path: string
  /** Returns status and body; status 0 without a response. */
  call: (url: string, body?: unknown, headers?: Record<string, string>) => Promise<HttpResult>
  newLink: () => Promise<HttpResult>
  /** Takes 10.00 EUR with a new card under an Idempotency-Key, which makes it repeatable. */
  pay: (key: string, card?: string) => Promise<HttpResult>
  /** Creates the card's token, so that `pay` with the key is one request. */
  prepare: (key: string, card?: string) => Promise<void>
  ready: () => Promise<number>
}

export interface HttpResult {
  status: number
  json: Json
}

const API = '/c/api/instances/default'

/** The card token of each file and key, because a repeat must be the same request. */
const tokens = new Map<string, string>()

/** Creates a folder that is deleted when the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-fault-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the program on a file with the environment of a fault, until the test ends. */
export async function startTestServer(
  path: string,
  { env = {}, through = [] }: { env?: Record<string, string>; through?: string[] } = {},
): Promise<TestServer> {
  const program = await startProgram(
    `file:${path}`,
    {
      PROCESSOR_TIMEOUT_MS: '1000',
      SANDBOX_SETTLE_MS: '200',
      PAYER_RATE: '0',
      API_RATE: '0',
      ...env,
    },
    through,
  )
  onTestFinished(async () => {
    program.process.kill('SIGKILL')
    await program.ended
  })
  const call: TestServer['call'] = async (url, body, headers = {}) => {
    try {
      const response = await fetch(`${program.base}${url}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: basic(`${PROGRAM_KEY}:`),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, json: await response.json() }
    } catch {
      return { status: 0, json: undefined }
    }
  }
  const cardToken = async (key: string, number: string) => {
    const card = { number, exp_month: 12, exp_year: 2034, csc: '123' }
    const token: string | undefined =
      tokens.get(`${path} ${key}`) ?? (await call('/sandbox/tokens', { card })).json?.token
    if (token !== undefined) tokens.set(`${path} ${key}`, token)
    return token
  }
  return {
    program,
    path,
    call,
    newLink: () => call(`${API}/payment_links`, { payment_link: { options: { amount: '1.00' } } }),
    async pay(key, card = CARDS.approve) {
      const token = await cardToken(key, card)
      if (token === undefined) return { status: 0, json: undefined }
      const payment_method = { token }
      const payment = { amount: '10.00', currency: 'EUR', alt_key: key, payment_method }
      return call(`${API}/payments`, { payment }, { 'idempotency-key': key })
    },
    async prepare(key, card = CARDS.approve) {
      await cardToken(key, card)
    },
    async ready() {
      return (await call('/readyz')).status
    },
  }
}

/** Reads the database file without the server. */
export function readFileOf<Row>(path: string, query: string): Row[] {
  const db = new Database(path, { readonly: true, timeout: 10_000 })
  try {
    return db.prepare<[], Row>(query).all()
  } finally {
    db.close()
  }
}

/**
 * The file is whole, nothing is open, and our books are the processor's: the same operations were
 * approved, for the same amounts.
 */
export function expectBalancedBooks(path: string): void {
  expect(readFileOf(path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(readFileOf(path, 'pragma foreign_key_check')).toEqual([])
  expect(readFileOf(path, "select id from attempts where state <> 'DONE'")).toEqual([])
  const ours = readFileOf(
    path,
    `select a.id, p.amount from attempts a join payments p on p.id = a.payment_id
     where p.status = 'SUCCESS' order by a.id`,
  )
  const theirs = readFileOf(
    path,
    'select operation as id, amount from sandbox_charges order by operation',
  )
  expect(ours).toEqual(theirs)
}

/**
 * Repeats every payment under its key until it has an outcome. A payment that was reported as paid
 * stays paid, as the same payment. One without a response may be declined.
 */
export async function expectOutcomes(
  shop: TestServer,
  results: readonly (readonly [key: string, first: HttpResult])[],
): Promise<void> {
  for (const [key, first] of results) {
    const payment = await until(`an outcome of ${key}`, async () => {
      const { status, json } = await shop.pay(key)
      return status === 200 && /SUCCESS|DECLINE/.test(json.payment.status)
        ? json.payment
        : undefined
    })
    if (first.status !== 200) continue
    expect(payment.id, key).toBe(first.json.payment.id)
    if (first.json.payment.status === 'SUCCESS') expect(payment.status, key).toBe('SUCCESS')
  }
  await until('everything to settle', async () => isSettled(shop.path))
  const payments = readFileOf<{ alt_key: string }>(shop.path, 'select alt_key from payments')
  expect(new Set(payments.map(({ alt_key }) => alt_key)).size).toBe(payments.length)
  expectBalancedBooks(shop.path)
}

/** Returns true when no attempt is open. */
export function isSettled(path: string): boolean {
  return readFileOf(path, "select id from attempts where state <> 'DONE'").length === 0
}
