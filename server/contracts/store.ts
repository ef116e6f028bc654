import { expressionBuilder } from 'kysely'
import type { ContractRow } from '../db/tables/contracts.ts'
import { literal } from '../db/partial-index.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Db, Tables, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'
import { onTestClock } from '../instances/test-clock-store.ts'
import { enabledInstances } from '../instances/store.ts'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { CONTRACT_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'

export async function insertContract(tx: Tx, row: ContractRow): Promise<void> {
  await tx.insertInto('contracts').values(row).execute()
}

export async function findContract(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<ContractRow | undefined> {
  return db
    .selectFrom('contracts')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/**
 * Gets the contract with an id, or the newest one with an `alt_key`, which is not case-sensitive. Throws a
 * 404 ApiError.
 */
export const lookupContract = lookup('Contract', CONTRACT_ID, findContract, findContractByAltKey)

async function findContractByAltKey(
  db: Db | Tx,
  instanceId: string,
  altKey: string,
): Promise<ContractRow | undefined> {
  return db
    .selectFrom('contracts')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('alt_key_folded', '=', foldKey(altKey))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function listContracts(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<ContractRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('contracts').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

/**
 * Returns one page of contracts whose next charge is due at `now` (date-time), longest due first, of
 * the instances on the real clock or, with `moved`, of the one with that id. `shut` includes disabled
 * instances; `after` is the last contract of the page before.
 */
export async function listDueContracts(
  db: Db,
  now: string,
  page: {
    limit: number
    shut: boolean
    after: ContractRow | undefined
    moved: string | undefined
  },
): Promise<ContractRow[]> {
  return db
    .selectFrom('contracts')
    .selectAll()
    .where('status', '=', literal('ACTIVE'))
    .where('started', '=', literal(1))
    .where('next_due', '<=', now)
    .where(onTestClock('contracts.instance_id', page.moved))
    .$if(!page.shut, (due) => due.where('instance_id', 'in', enabledInstances))
    .$if(page.after !== undefined, (due) => due.where(isAfter(page.after as ContractRow)))
    .orderBy('next_due')
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

function isAfter({ next_due, id }: ContractRow) {
  const eb = expressionBuilder<Tables, 'contracts'>()
  return eb.and([
    eb('next_due', '>=', next_due),
    eb.or([eb('next_due', '>', next_due), eb('id', '>', id)]),
  ])
}

/** Locked before any of its charges, so that transactions do not deadlock. Throws for an unknown id. */
export async function lockContract(tx: Tx, id: string): Promise<ContractRow> {
  return lockRow(tx, 'contracts', id)
}

/** The caller has locked the contract. */
export async function updateContract(
  tx: Tx,
  id: string,
  change: Partial<ContractRow>,
): Promise<void> {
  await tx.updateTable('contracts').set(change).where('id', '=', id).execute()
}
