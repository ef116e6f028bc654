import { sql, type Updateable } from 'kysely'
import { PROCESSOR_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'
import type {
  ProcessorConnectionsTable,
  ProcessorConnectionRow,
} from '../db/tables/processor-connections.ts'
import { lockRow } from '../db/row-locks.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'

/** A connection with the mode of its instance, which never changes. */
export type ConnectionRow = ProcessorConnectionRow & Pick<Instance, 'mode'>

const connections = (db: Db | Tx) =>
  db
    .selectFrom('processor_connections')
    .innerJoin('instances', 'instances.id', 'processor_connections.instance_id')
    .selectAll('processor_connections')
    .select('instances.mode')

/** Throws a 404 ApiError when the instance does not have the processor. */
export const getConnection = lookup(
  'Processor',
  PROCESSOR_ID,
  (db, instanceId, id): Promise<ConnectionRow | undefined> =>
    connections(db)
      .where('processor_connections.id', '=', id)
      .where('processor_connections.instance_id', '=', instanceId)
      .executeTakeFirst(),
)

/** Of any instance. */
export async function findConnection(db: Db, id: string): Promise<ConnectionRow | undefined> {
  return connections(db).where('processor_connections.id', '=', id).executeTakeFirst()
}

/** Those of all instances without `instanceId`, oldest first. */
export async function listAllConnections(db: Db, instanceId?: string): Promise<ConnectionRow[]> {
  return connections(db)
    .$if(instanceId !== undefined, (query) =>
      query.where('processor_connections.instance_id', '=', instanceId as string),
    )
    .orderBy('processor_connections.created')
    .orderBy('processor_connections.id')
    .execute()
}

export function listConnections(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<ConnectionRow>> {
  return readPage(turn, list, (db) =>
    connections(db).where('processor_connections.instance_id', '=', instanceId).where(list.where),
  )
}

/**
 * Returns the connections of an instance that are not disabled. Locks the instance, so that two
 * concurrent requests cannot both connect an account.
 */
export async function lockUsedConnections(
  tx: Tx,
  instanceId: string,
): Promise<Pick<ProcessorConnectionRow, 'id' | 'name' | 'account'>[]> {
  await lockRow(tx, 'instances', instanceId)
  return tx
    .selectFrom('processor_connections')
    .select(['id', 'name', 'account'])
    .where('instance_id', '=', instanceId)
    .where('status', '<>', 'DISABLED')
    .execute()
}

export async function insertConnection(tx: Tx, row: ProcessorConnectionRow): Promise<void> {
  await tx.insertInto('processor_connections').values(row).execute()
}

/** Returns false when the connection has changed since it was read. */
export async function updateConnection(
  tx: Tx,
  read: Pick<ProcessorConnectionRow, 'id' | 'v'>,
  change: Updateable<ProcessorConnectionsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('processor_connections')
    .set({ ...change, v: read.v + 1 })
    .where('id', '=', read.id)
    .where('v', '=', read.v)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns for how many operations of a connection the processor is still to be asked. */
export async function countOpenOperations(tx: Tx, connection: string): Promise<number> {
  const { open } = await tx
    .selectFrom('attempts')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('processor', '=', connection)
    .where('next_check', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** Counts a refused call in a row. Returns their number. */
export async function addFailure(db: Db, id: string): Promise<number> {
  const counted = await db
    .updateTable('processor_connections')
    .set({ failures: sql<number>`failures + 1` })
    .where('id', '=', id)
    .where('status', '=', 'ACTIVE')
    .returning('failures')
    .executeTakeFirst()
  return counted?.failures ?? 0
}

export async function clearFailures(db: Db, id: string): Promise<void> {
  await db
    .updateTable('processor_connections')
    .set({ failures: 0 })
    .where('id', '=', id)
    .where('failures', '>', 0)
    .execute()
}
