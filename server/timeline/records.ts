import {
  ACCOUNT_ID,
  CHARGE_ID,
  CHECKOUT_ID,
  CONTRACT_ID,
  PAYMENT_ID,
  PAYMENT_LINK_ID,
} from '../../shared/rules/ids.ts'
import type { Area } from '../../shared/rules/permissions.ts'
import type { TimelineKind } from '../../shared/schemas/timeline.ts'
import type { Db } from '../db/tables.ts'

/** The records that have a timeline. */
export type RecordKind = 'account' | 'contract' | 'charge' | 'payment_link' | 'checkout' | 'payment'

interface RecordType {
  kind: RecordKind
  table: 'accounts' | 'contracts' | 'charges' | 'payment_links' | 'checkouts' | 'payments'
  pattern: RegExp
  /** As in the message of a 404. */
  name: string
}

const RECORDS: readonly RecordType[] = [
  { kind: 'payment_link', table: 'payment_links', pattern: PAYMENT_LINK_ID, name: 'Payment link' },
  { kind: 'payment', table: 'payments', pattern: PAYMENT_ID, name: 'Payment' },
  { kind: 'charge', table: 'charges', pattern: CHARGE_ID, name: 'Charge' },
  { kind: 'contract', table: 'contracts', pattern: CONTRACT_ID, name: 'Contract' },
  { kind: 'account', table: 'accounts', pattern: ACCOUNT_ID, name: 'Account' },
  { kind: 'checkout', table: 'checkouts', pattern: CHECKOUT_ID, name: 'Checkout' },
]

/** The area of permissions of each kind of entry. */
export const AREA_OF_KIND: Readonly<Record<TimelineKind, Area>> = {
  account: 'accounts',
  payment_method: 'accounts',
  contract: 'charges',
  charge: 'charges',
  payment_link: 'payment_links',
  checkout: 'payment_links',
  payment: 'payments',
  refund: 'payments',
  void: 'payments',
  reversal: 'payments',
  delivery: 'webhooks',
}

/** Returns what kind of record an id names; undefined for an id of another form. */
export function recordTypeOf(id: string): RecordType | undefined {
  return RECORDS.find(({ pattern }) => pattern.test(id))
}

/** Returns whether the instance has the record. */
export async function hasRecord(
  db: Db,
  instanceId: string,
  { table }: Pick<RecordType, 'table'>,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return row !== undefined
}
