import { sql } from 'kysely'
import type { Selectable, Updateable } from 'kysely'
import type { Payment } from '../../shared/schemas/payment.ts'
import type { GatewayStatus, Transaction } from '../../shared/schemas/transaction.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { formatMinor } from '../../shared/rules/money.ts'
import { fromJson } from '../db/json.ts'
import type { Db, PaymentsTable, TransactionsTable, Tx } from '../db/tables.ts'
import { notFound } from '../http/refusal.ts'

export type PaymentRow = Selectable<PaymentsTable>
export type TransactionRow = Selectable<TransactionsTable>

export async function insertPayment(tx: Tx, row: PaymentRow): Promise<void> {
  await tx.insertInto('payments').values(row).execute()
}

export async function insertTransaction(tx: Tx, row: TransactionRow): Promise<void> {
  await tx.insertInto('transactions').values(row).execute()
}

export async function findPaymentRow(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/** A payment, authorisation or capture as the API shows it. */
export async function getPayment(db: Db | Tx, instanceId: string, id: string): Promise<Payment> {
  const row = await findPaymentRow(db, instanceId, id)
  if (!row) throw notFound('Payment')
  return paymentRecord(row)
}

export async function getTransaction(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<Transaction> {
  const row = await db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  if (!row) throw notFound('Transaction')
  return transactionRecord(row)
}

/** Writes a payment's new state. The caller has checked, in this transaction, that it may follow. */
export async function updatePayment(
  tx: Tx,
  id: string,
  change: Updateable<PaymentsTable>,
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ ...change, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .execute()
}

export async function updateTransaction(
  tx: Tx,
  id: string,
  change: Updateable<TransactionsTable>,
): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ ...change, v: sql<number>`v + 1` })
    .where('id', '=', id)
    .execute()
}

/** Minor units of a currency as the API writes them. */
export function amountText(minor: number, currency: string): string {
  return formatMinor(minor, currencyDigits(currency) ?? 2)
}

/** The payment as the API shows it (contract section 10.2). */
function paymentRecord(row: PaymentRow): Payment {
  const text = (minor: number) => amountText(minor, row.currency)
  const isAuth = row.type === 'AUTH'
  const open = row.status === 'SUCCESS' ? row.amount - row.captured_amount : 0
  const refundable = row.status === 'SUCCESS' ? row.amount - row.refunded_amount : 0
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    amount: text(row.amount),
    currency: row.currency,
    captured_amount: isAuth ? text(row.captured_amount) : null,
    open_amount: isAuth ? text(open) : null,
    refunded_amount: isAuth ? null : text(row.refunded_amount),
    refundable_amount: isAuth ? null : text(refundable),
    authorisation: null,
    alt_key: row.alt_key,
    description: row.description,
    payer_comment: row.payer_comment,
    reference: row.reference,
    source: row.source,
    channel: row.channel,
    metadata: fromJson<Payment['metadata']>(row.metadata) ?? {},
    account: row.account_id,
    contract: null,
    charge: null,
    payment_link: row.payment_link_id,
    payment_method: row.payment_method_id,
    transaction: row.transaction_id,
    parts: [],
    gateway_status: row.gateway_status as GatewayStatus | null,
    gateway_message: row.gateway_message,
    gateway_reference: row.gateway_reference,
    three_ds: fromJson<Payment['three_ds']>(row.three_ds),
    due: null,
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}

/** The transaction as the API shows it (contract section 10.3). */
function transactionRecord(row: TransactionRow): Transaction {
  return {
    id: row.id,
    type: row.type,
    payment: row.payment_id,
    amount: amountText(row.amount, row.currency),
    currency: row.currency,
    status: row.status,
    gateway: row.processor,
    gateway_reference: row.gateway_reference,
    gateway_status: row.gateway_status as GatewayStatus | null,
    gateway_message: row.gateway_message,
    processor: row.processor,
    account: row.account_id,
    contract: null,
    charge: null,
    payment_method: row.payment_method_id,
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
