import type { Db } from '../db/tables.ts'
import { ROWS_MAX, type Scope } from './entry.ts'
import type { RecordKind } from './records.ts'

/** Finds the records that belong to the timeline of one, the newest of each kind. */
export async function findScope(
  db: Db,
  instanceId: string,
  root: { kind: RecordKind; id: string },
): Promise<Scope> {
  const scope = {
    root,
    accounts: [] as string[],
    payment_methods: [] as string[],
    contracts: [] as string[],
    charges: [] as string[],
    payment_links: [] as string[],
    checkouts: [] as string[],
    payments: [] as string[],
  }
  const { kind, id } = root
  if (kind === 'account') {
    scope.accounts = [id]
    scope.payment_methods = await idsBy(db, 'payment_methods', instanceId, 'account_id', id)
    scope.contracts = await idsBy(db, 'contracts', instanceId, 'account_id', id)
    scope.payments = await paymentsBy(db, instanceId, 'account_id', [id])
  } else if (kind === 'contract') {
    scope.contracts = [id]
    scope.charges = await idsBy(db, 'charges', instanceId, 'contract_id', id)
    scope.payments = await paymentsOfCharges(db, instanceId, scope.charges)
  } else if (kind === 'charge') {
    scope.charges = [id]
    scope.payments = await paymentsOfCharges(db, instanceId, [id])
  } else if (kind === 'payment_link') {
    scope.payment_links = [id]
    scope.checkouts = await idsBy(db, 'checkouts', instanceId, 'payment_link_id', id)
    scope.payments = await paymentsBy(db, instanceId, 'payment_link_id', [id])
  } else {
    scope.checkouts = kind === 'checkout' ? [id] : await checkoutsOf(db, instanceId, id)
    scope.payment_links = await linksOf(db, instanceId, scope)
    const tried = await paymentsOfCheckouts(db, instanceId, scope.checkouts)
    scope.payments = kind === 'payment' ? [...new Set([id, ...tried])] : tried
  }
  return scope
}

async function idsBy(
  db: Db,
  table: 'payment_methods' | 'contracts' | 'charges' | 'checkouts',
  instanceId: string,
  column: string,
  value: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('instance_id', '=', instanceId)
    .where((eb) => eb(eb.ref(column as 'id'), '=', value))
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return rows.map(({ id }) => id)
}

async function paymentsBy(
  db: Db,
  instanceId: string,
  column: 'account_id' | 'payment_link_id',
  values: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where(column, 'in', values)
    .where('instance_id', '=', instanceId)
    .where('type', '<>', 'CAPTURE')
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return rows.map(({ id }) => id)
}

async function paymentsOfCharges(
  db: Db,
  instanceId: string,
  charges: readonly string[],
): Promise<string[]> {
  if (charges.length === 0) return []
  const rows = await db
    .selectFrom('payment_parts')
    .innerJoin('payments', 'payments.id', 'payment_parts.payment_id')
    .select('payments.id')
    .distinct()
    .where('payment_parts.charge_id', 'in', charges)
    .where('payments.instance_id', '=', instanceId)
    .where('payments.type', '<>', 'CAPTURE')
    .orderBy('payments.id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return rows.map(({ id }) => id)
}

async function checkoutsOf(db: Db, instanceId: string, payment: string): Promise<string[]> {
  const rows = await db
    .selectFrom('attempts')
    .innerJoin('checkouts', 'checkouts.id', 'attempts.checkout_id')
    .select('checkouts.id')
    .distinct()
    .where('attempts.payment_id', '=', payment)
    .where('checkouts.instance_id', '=', instanceId)
    .orderBy('checkouts.id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the link of the session, or of the payment when its session was deleted. */
async function linksOf(db: Db, instanceId: string, { root, checkouts }: Scope): Promise<string[]> {
  const [checkout] = checkouts
  const row =
    checkout === undefined
      ? await db
          .selectFrom('payments')
          .select('payment_link_id')
          .where('id', '=', root.id)
          .where('instance_id', '=', instanceId)
          .executeTakeFirst()
      : await db
          .selectFrom('checkouts')
          .select('payment_link_id')
          .where('id', '=', checkout)
          .where('instance_id', '=', instanceId)
          .executeTakeFirst()
  return row?.payment_link_id == null ? [] : [row.payment_link_id]
}

async function paymentsOfCheckouts(
  db: Db,
  instanceId: string,
  checkouts: readonly string[],
): Promise<string[]> {
  if (checkouts.length === 0) return []
  const rows = await db
    .selectFrom('attempts')
    .select('payment_id')
    .distinct()
    .where('checkout_id', 'in', checkouts)
    .where('instance_id', '=', instanceId)
    .orderBy('payment_id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return rows.map(({ payment_id }) => payment_id)
}
