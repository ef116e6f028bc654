import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../server/db/tables.ts'
import type { SandboxTables } from '../../server/processors/sandbox/index.ts'

/** Saved methods, the set-ups that saved them, and what the processor keeps. */
type KeptMethods = Awaited<ReturnType<typeof readKeptMethods>>

/** Reads the methods of an instance. */
export async function readKeptMethods(db: Db, instanceId: string) {
  const [methods, setups, toForget, accounts] = await Promise.all([
    db.selectFrom('payment_methods').selectAll().where('instance_id', '=', instanceId).execute(),
    db.selectFrom('method_setups').selectAll().where('instance_id', '=', instanceId).execute(),
    db.selectFrom('tokens_to_forget').selectAll().where('instance_id', '=', instanceId).execute(),
    db.selectFrom('accounts').selectAll().where('instance_id', '=', instanceId).execute(),
  ])
  // The sandbox keeps tables of its own, outside the schema of the product.
  const tokens = await (db as unknown as Kysely<SandboxTables>)
    .selectFrom('sandbox_operations')
    .select('stored_token as token')
    .where('merchant', '=', instanceId)
    .where('state', '=', 'APPROVED')
    .where('stored_token', 'is not', null)
    .execute()
  return { methods, setups, toForget, accounts, tokens: tokens.map(({ token }) => token) }
}

/**
 * The processor keeps the methods that can be charged, and others only until it forgets them. Each
 * set-up that succeeded has its method, and nothing is charged or kept that was removed.
 */
export function expectKeptMethods({
  methods,
  setups,
  toForget,
  accounts,
  tokens,
  contracts,
}: KeptMethods & { contracts: readonly { status: string; payment_method_id: string | null }[] }) {
  const active = methods.filter(({ status }) => status === 'ACTIVE')
  const kept = active.map(({ processor_token: token }) => token)
  const forgotten = toForget.map(({ processor_token: token }) => token)
  expect(
    tokens.filter((token) => !kept.includes(token ?? '') && !forgotten.includes(token ?? '')),
    'kept by the processor for nothing',
  ).toEqual([])
  expect(
    kept.filter((token) => forgotten.includes(token)),
    'forgotten and charged',
  ).toEqual([])
  for (const { status, payment_method_id: id } of setups) {
    const method = methods.find((row) => row.id === id)
    expect([status, method !== undefined]).toEqual([status, status === 'SUCCESS'])
  }
  const erased = accounts.filter(({ anonymised }) => anonymised !== null).map(({ id }) => id)
  expect(
    active.filter(({ account_id }) => erased.includes(account_id)),
    'methods of anonymised accounts',
  ).toEqual([])
  const charged = contracts
    .filter(({ status }) => status === 'ACTIVE' || status === 'PAUSED')
    .map(({ payment_method_id: id }) => id)
  expect(
    charged.filter((id) => id !== null && !active.some((row) => row.id === id)),
    'removed methods of contracts',
  ).toEqual([])
}
