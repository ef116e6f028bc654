import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { up } from '../server/db/migrations/0003-sandbox.ts'
import { createSandboxDisputes } from '../server/db/migrations/0025-reversals.ts'
import { addSandboxDescriptor } from '../server/db/migrations/0046-legal-entities.ts'
import { openDatabase } from '../server/db/open.ts'
import { openTestDatabase } from './database.ts'
import type { PaymentOperation } from '../server/processors/port.ts'
import {
  createSandbox,
  type Sandbox,
  type SandboxTables,
} from '../server/processors/sandbox/index.ts'
import { ABOUT_PAYMENT } from './processor-operation.ts'

/** A sandbox of its own for one test, with a clock that stands still until it is moved. */
export interface TestSandbox {
  sandbox: Sandbox
  db: Kysely<SandboxTables>
  /** Moves the clock forward by milliseconds. */
  pass(ms: number): void
  /** The names at which a crash test could interrupt, in order. */
  failpoints: string[]
  /** A token that has not been used, for a card number or an IBAN. */
  token: (number: string) => Promise<string>
  /** An order over 10.50 GBP, paid with a fresh token for a card number. */
  cardOrder(number: string, given?: Partial<PaymentOperation>): Promise<PaymentOperation>
  /** An order that has paid and stored its card, and the stored token. */
  storedCard(number: string): Promise<{ order: PaymentOperation; token: string }>
  /** What all charges come to, in minor units. */
  taken(): Promise<number>
  close: () => Promise<void>
}

export const SETTLE_MS = 2000

/** The one place where these tests choose a database: it is empty but for the sandbox's tables. */
async function openSandboxDatabase(): Promise<{
  db: Kysely<SandboxTables>
  close: () => Promise<void>
}> {
  const database = await openTestDatabase({
    name: 'sandbox',
    async prepare(url) {
      const opened = await openDatabase<unknown>(url)
      await up(opened.db)
      await createSandboxDisputes(opened.db)
      await addSandboxDescriptor(opened.db)
      await opened.close()
    },
  })
  const opened = await openDatabase<SandboxTables>(database.url)
  return {
    db: opened.db,
    async close() {
      await opened.close()
      await database.drop()
    },
  }
}

/** Opens a sandbox over an empty database. */
export async function openTestSandbox(): Promise<TestSandbox> {
  const { db, close } = await openSandboxDatabase()
  const failpoints: string[] = []
  let clock = Date.UTC(2030, 0, 15, 12)
  let keys = 0
  const sandbox = createSandbox({
    db,
    now: () => clock,
    baseUrl: 'http://127.0.0.1:4242',
    settleMs: SETTLE_MS,
    newToken: (prefix) => `${prefix}_${randomBytes(18).toString('base64url')}`,
    failpoint: (name) => failpoints.push(name),
  })
  const token = (number: string) =>
    sandbox.gateway.createToken(
      /^[0-9]/.test(number)
        ? { card: { number, exp_month: 12, exp_year: 2034, csc: '918' } }
        : { bank_account: { iban: number, holder: 'Ada Example' } },
    )
  const cardOrder: TestSandbox['cardOrder'] = async (number, given) => ({
    ...ABOUT_PAYMENT,
    operation: `at_${(keys += 1)}`,
    merchant: 'ins_1',
    amount: 1050,
    currency: 'GBP',
    method: { kind: 'NEW', type: 'CARD', token: await token(number) },
    store: false,
    return_url: 'http://127.0.0.1:4242/pay/checkouts/ck/return?way=back',
    ...given,
  })
  return {
    sandbox,
    db,
    pass: (ms) => (clock += ms),
    failpoints,
    token,
    cardOrder,
    async storedCard(number) {
      const order = await cardOrder(number, { store: true })
      const response = await sandbox.pay(order)
      const stored = response.status === 'APPROVED' ? response.stored : undefined
      return { order, token: stored?.token ?? '' }
    },
    async taken() {
      const charges = await db.selectFrom('sandbox_charges').select('amount').execute()
      return charges.reduce((sum, { amount }) => sum + amount, 0)
    },
    close,
  }
}
