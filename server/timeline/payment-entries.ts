import type { PaymentRow } from '../db/tables/payments.ts'
import type { RefundRow } from '../db/tables/refunds.ts'
import { money, type NewEntry, newEntry, ROWS_MAX, type Source } from './entry.ts'

type Paid = Pick<
  PaymentRow,
  'id' | 'type' | 'status' | 'amount' | 'currency' | 'due' | 'processed' | 'created' | 'updated'
> &
  Pick<PaymentRow, 'authorisation_id' | 'gateway_message' | 'gateway_reference'>

/** Why a payment was declined, and with what it was tried. */
interface Tried {
  payment_id: string
  decline_code: string | null
  method_brand: string | null
  method_last4: string | null
}

/** What became of payments, and of the captures, refunds, voids and reversals of each. */
export async function listPaymentEntries(source: Source): Promise<NewEntry[]> {
  const { scope } = source
  if (scope.payments.length === 0) return []
  const captures = await selectPayments(source)
    .where('authorisation_id', 'in', scope.payments)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  const payments = await selectPayments(source)
    .where('id', 'in', scope.payments)
    .orderBy('id')
    .execute()
  const tried = await attemptsOf(source)
  const all = [...scope.payments, ...captures.map(({ id }) => id)]
  return [
    ...payments.map((payment) => paymentEntry(payment, tried.get(payment.id))),
    ...captures.map(captureEntry),
    ...(await refundEntries(source, all)),
    ...(await voidEntries(source)),
    ...(await reversalEntries(source, all)),
  ]
}

function selectPayments({ db, instanceId }: Source) {
  return db
    .selectFrom('payments')
    .select(['id', 'type', 'status', 'amount', 'currency', 'due', 'processed', 'created'])
    .select(['updated', 'authorisation_id', 'gateway_message', 'gateway_reference'])
    .where('instance_id', '=', instanceId)
}

/** Returns the newest attempt of each payment. */
async function attemptsOf({ db, instanceId, scope }: Source): Promise<Map<string, Tried>> {
  const rows = await db
    .selectFrom('attempts')
    .select(['payment_id', 'decline_code', 'method_brand', 'method_last4'])
    .where('payment_id', 'in', scope.payments)
    .where('instance_id', '=', instanceId)
    .where('kind', 'in', ['PAY', 'AUTHORISE'])
    .orderBy('created')
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.payment_id, row]))
}

/** An open payment stands at its beginning; events say when its status changed. */
function paymentEntry(payment: Paid, tried: Tried | undefined): NewEntry {
  const { status } = payment
  const values = {
    ...money(payment),
    brand: tried?.method_brand,
    last4: tried?.method_last4,
    reference: payment.gateway_reference,
  }
  const ids = { payment: payment.id }
  const at = payment.processed ?? payment.created
  switch (status) {
    case 'SUCCESS':
    case 'VOIDED': {
      const title = payment.type === 'AUTH' ? 'payment_authorised' : 'payment_success'
      return newEntry(at, 'payment', title, { tone: 'ok', values, ids })
    }
    case 'DECLINE': {
      const why = { code: tried?.decline_code, message: payment.gateway_message }
      const details = { tone: 'bad', values: { ...values, ...why }, ids } as const
      return newEntry(at, 'payment', 'payment_declined', details)
    }
    case 'PENDING':
      return newEntry(at, 'payment', 'payment_pending', { tone: 'wait', values, ids })
    case 'UNRESOLVED':
      return newEntry(at, 'payment', 'payment_unresolved', { tone: 'ask', values, ids })
    case 'SCHEDULED': {
      const details = { tone: 'news', values: { ...values, due: payment.due }, ids } as const
      return newEntry(payment.created, 'payment', 'payment_scheduled', details)
    }
    case 'CANCELLED':
      return newEntry(payment.updated, 'payment', 'payment_cancelled', { values, ids })
  }
}

function captureEntry(capture: Paid): NewEntry {
  const at = capture.processed ?? capture.created
  const ids = { capture: capture.id, payment: capture.authorisation_id }
  const values = money(capture)
  switch (capture.status) {
    case 'DECLINE': {
      const details = { ...values, message: capture.gateway_message }
      return newEntry(at, 'payment', 'capture_declined', { tone: 'bad', values: details, ids })
    }
    case 'PENDING':
      return newEntry(at, 'payment', 'capture_pending', { tone: 'wait', values, ids })
    case 'UNRESOLVED':
      return newEntry(at, 'payment', 'capture_unresolved', { tone: 'ask', values, ids })
    default:
      return newEntry(at, 'payment', 'capture_success', { tone: 'ok', values, ids })
  }
}

const REFUND_TITLES = {
  SUCCESS: ['refund_success', 'news'],
  UNATTRIBUTED: ['refund_success', 'news'],
  PENDING: ['refund_pending', 'wait'],
  UNRESOLVED: ['refund_unresolved', 'ask'],
  DECLINED: ['refund_declined', 'bad'],
  INVALID_PAYMENT_METHOD: ['refund_declined', 'bad'],
} as const satisfies Record<RefundRow['status'], unknown>

async function refundEntries(
  { db, instanceId }: Source,
  payments: readonly string[],
): Promise<NewEntry[]> {
  const refunds = await db
    .selectFrom('refunds')
    .selectAll()
    .where('refunded_id', 'in', payments)
    .where('instance_id', '=', instanceId)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return refunds.map((refund) => {
    const [title, tone] = refund.failed_later
      ? (['refund_failed', 'bad'] as const)
      : REFUND_TITLES[refund.status]
    const values = { ...money(refund), reason: refund.reason, message: refund.gateway_message }
    const ids = { refund: refund.id, payment: refund.payment_id }
    const at = refund.failed_later ? refund.updated : (refund.processed ?? refund.created)
    return newEntry(at, 'refund', title, { tone, values, ids })
  })
}

async function voidEntries({ db, instanceId, scope }: Source): Promise<NewEntry[]> {
  const voids = await db
    .selectFrom('attempts')
    .innerJoin('voids', 'voids.id', 'attempts.void_id')
    .selectAll('voids')
    .where('attempts.payment_id', 'in', scope.payments)
    .where('voids.instance_id', '=', instanceId)
    .orderBy('voids.created', 'desc')
    .orderBy('voids.id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return voids.map((row) => {
    const tones = { SUCCESS: 'news', PENDING: 'wait', UNRESOLVED: 'ask', DECLINED: 'bad' } as const
    const title = `void_${row.status.toLowerCase() as Lowercase<typeof row.status>}` as const
    const values = { ...money(row), message: row.gateway_message }
    const ids = { void: row.id, payment: row.payment_id }
    return newEntry(row.processed ?? row.created, 'void', title, {
      tone: tones[row.status],
      values,
      ids,
    })
  })
}

async function reversalEntries(
  { db, instanceId }: Source,
  payments: readonly string[],
): Promise<NewEntry[]> {
  const reversals = await db
    .selectFrom('reversals')
    .selectAll()
    .where('payment_id', 'in', payments)
    .where('instance_id', '=', instanceId)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return reversals.flatMap((row) => {
    const values = { ...money(row), type: row.type, reason: row.reason, due: row.due }
    const details = { values, ids: { reversal: row.id, payment: row.payment_id } }
    const isOpen = row.status === 'OPEN'
    const isDispute = row.type === 'DISPUTE' || row.type === 'INQUIRY'
    const won = row.status === 'WON'
    return [
      ...(isOpen || isDispute
        ? [newEntry(row.created, 'reversal', 'reversal_open', { tone: 'bad', ...details })]
        : []),
      ...(isOpen
        ? []
        : [
            newEntry(row.updated, 'reversal', won ? 'reversal_won' : 'reversal_lost', {
              tone: won ? 'ok' : 'bad',
              ...details,
            }),
          ]),
    ]
  })
}
