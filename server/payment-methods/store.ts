import type { Selectable } from 'kysely'
import type { PaymentMethod } from '../../shared/schemas/payment-method.ts'
import type { Db, PaymentMethodsTable, Tx } from '../db/tables.ts'
import { notFound } from '../http/refusal.ts'

export type PaymentMethodRow = Selectable<PaymentMethodsTable>

export async function insertPaymentMethod(tx: Tx, row: PaymentMethodRow): Promise<void> {
  await tx.insertInto('payment_methods').values(row).execute()
}

export async function getPaymentMethod(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<PaymentMethod> {
  const row = await findPaymentMethod(db, instanceId, id)
  if (!row) throw notFound('Payment method')
  return paymentMethodRecord(row)
}

export async function findPaymentMethod(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<PaymentMethodRow | undefined> {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/** The methods of an account that may be offered again, newest first. */
export async function listReusable(
  db: Db | Tx,
  instanceId: string,
  accountId: string,
): Promise<PaymentMethodRow[]> {
  return db
    .selectFrom('payment_methods')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'ACTIVE')
    .where('reusable', '=', 1)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
}

/** The method as the API shows it (contract section 12). */
function paymentMethodRecord(row: PaymentMethodRow): PaymentMethod {
  const isCard = row.type === 'CARD'
  return {
    id: row.id,
    account: row.account_id,
    type: row.type,
    label: [row.brand ?? row.type.toLowerCase().replaceAll('_', ' '), row.last4]
      .filter(Boolean)
      .join(' •••• '),
    card: isCard
      ? {
          brand: row.brand,
          last4: row.last4,
          exp_month: row.exp_month,
          exp_year: row.exp_year,
          funding: row.funding,
          country: row.country,
        }
      : null,
    bank: isCard ? null : { last4: row.last4, country: row.country },
    status: row.status,
    reusable: row.reusable === 1,
    default: false,
    consent: JSON.parse(row.consent) as PaymentMethod['consent'],
    gateway: row.processor,
    fingerprint: row.fingerprint,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
