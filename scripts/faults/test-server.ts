import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { type ApiResponse, createHttpClient, type MerchantClient } from '../../test/client.ts'
import { cardToken } from '../../test/payer-client.ts'
import { type Program, startProgram, until } from '../../test/program.ts'

/** The program under a fault, and a merchant's requests to it. Status 0 is that of no response. */
export interface TestServer extends MerchantClient {
  program: Program
  path: string
  newLink: () => Promise<ApiResponse>
  /** Takes 10.00 EUR with a new card under an Idempotency-Key, which makes it repeatable. */
  pay: (key: string, card?: string) => Promise<ApiResponse>
  /** Creates the card's token, so that `pay` with the key is one request. */
  prepare: (key: string) => Promise<string>
  ready: () => Promise<number>
}

/** The card token of each file and key, because a repeat must be the same request. */
const tokens = new Map<string, string>()

const orNoResponse = (response: Promise<ApiResponse>): Promise<ApiResponse> =>
  response.catch(() => ({ status: 0, headers: new Headers(), text: '', json: undefined }))

/** Creates a folder that is deleted when the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-fault-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the program on a file with the environment of a fault, until the test ends. */
export async function startTestServer(
  path: string,
  env: Record<string, string> = {},
  command?: readonly string[],
): Promise<TestServer> {
  const settings = { PROCESSOR_TIMEOUT_MS: '1000', SANDBOX_SETTLE_MS: '200', PAYER_RATE: '0' }
  const program = await startProgram(`file:${path}`, { ...settings, ...env }, command)
  onTestFinished(async () => {
    program.process.kill('SIGKILL')
    await program.ended
  })
  const client = createHttpClient(program.base)
  const prepare = async (key: string, card = CARDS.approve) => {
    const token = tokens.get(`${path} ${key}`) ?? (await cardToken(client, card))
    tokens.set(`${path} ${key}`, token)
    return token
  }
  const pay = async (key: string, card?: string) => {
    const payment_method = { token: await prepare(key, card) }
    const payment = { amount: '10.00', currency: 'EUR', alt_key: key, payment_method }
    return client.api('/payments', { body: { payment }, headers: { 'idempotency-key': key } })
  }
  const link = { payment_link: { options: { amount: '1.00' } } }
  return {
    program,
    path,
    api: client.api,
    newLink: () => orNoResponse(client.api('/payment_links', { body: link })),
    pay: (key, card) => orNoResponse(pay(key, card)),
    prepare,
    ready: async () => (await orNoResponse(client.call('/readyz'))).status,
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
  results: readonly (readonly [key: string, first: ApiResponse])[],
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
