import type { Insertable, Kysely } from 'kysely'
import { formatInstant } from '../../../shared/rules/time.ts'
import { compiledQuery } from '../../db/compiled-query.ts'
import { postEntries, releaseMoney } from './ledger.ts'
import type { Step } from './scenarios.ts'
import type { OperationRow, SandboxTables } from './tables.ts'
import { storeToken } from './tokens.ts'

type Db = Kysely<SandboxTables>

/** How long an authorization can be captured. */
const AUTHORIZATION_MS = 7 * 24 * 60 * 60 * 1000

export interface Terms {
  /** Epoch milliseconds. */
  now: () => number
  settleMs: number
  newToken: (prefix: string) => string
}

type NewOperation = Pick<OperationRow, 'operation' | 'kind' | 'state'> & Partial<OperationRow>

/**
 * Returns undefined when the key exists. A concurrent call with the same key waits for the transaction
 * of the first, so only one call decides the operation.
 */
export async function insertOperation(
  trx: Db,
  operation: NewOperation,
  terms: Terms,
): Promise<OperationRow | undefined> {
  const created = formatInstant(terms.now())
  return (await insert(trx, { store: 0, ...operation, created, updated: created })).rows[0]
}

const insert = compiledQuery((db: Db, row: Insertable<OperationRow>) =>
  db
    .insertInto('sandbox_operations')
    .values(row)
    .onConflict((conflict) => conflict.column('operation').doNothing())
    .returningAll(),
)

/**
 * Applies a step to an operation in the state of `row`. In the same transaction an approval writes the
 * ledger and the stored token, and a failed pending capture, refund or void releases its reservation.
 * Returns undefined when another call was faster.
 */
export async function advance(
  trx: Db,
  row: OperationRow,
  step: Step,
  terms: Terms,
  method: Partial<Pick<OperationRow, 'token' | 'scenario'>> = {},
): Promise<OperationRow | undefined> {
  const now = terms.now()
  const approvesAuthorization = step.state === 'APPROVED' && row.kind === 'AUTHORISE'
  const change = {
    ...method,
    state: step.state,
    code: step.state === 'DECLINED' ? step.code : null,
    message: 'message' in step ? step.message : null,
    three_ds: ('three_ds' in step ? step.three_ds : undefined) ?? row.three_ds,
    challenge: step.state === 'ACTION' ? terms.newToken('bank') : row.challenge,
    settles_at:
      step.state === 'PENDING'
        ? formatInstant(now + (step.settles_after_ms ?? terms.settleMs))
        : row.settles_at,
    authorised_until: approvesAuthorization ? formatInstant(now + AUTHORIZATION_MS) : null,
    updated: formatInstant(now),
  }
  const [moved] = (await move(trx, { ...change, operation: row.operation, from: row.state })).rows
  if (moved?.state === 'DECLINED' && row.state === 'PENDING') await releaseMoney(trx, moved)
  if (moved?.state !== 'APPROVED') return moved
  await postEntries(trx, moved)
  if (moved.store === 0 || moved.token === null) return moved
  const stored_token = await storeToken(trx, moved.token, {
    newToken: terms.newToken,
    created: formatInstant(now),
  })
  await trx
    .updateTable('sandbox_operations')
    .set({ stored_token })
    .where('operation', '=', moved.operation)
    .execute()
  return { ...moved, stored_token }
}

type Move = Partial<OperationRow> &
  Pick<OperationRow, 'operation'> & { from: OperationRow['state'] }

const move = compiledQuery((db: Db, { operation, from, ...change }: Move) =>
  db
    .updateTable('sandbox_operations')
    .set(change)
    .where('operation', '=', operation)
    .where('state', '=', from)
    .returningAll(),
)

export async function findOperation(
  db: Db,
  by: 'operation' | 'reference' | 'challenge',
  value: string,
): Promise<OperationRow | undefined> {
  return db.selectFrom('sandbox_operations').selectAll().where(by, '=', value).executeTakeFirst()
}
