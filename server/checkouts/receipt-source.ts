import type { SessionLink } from '../db/tables/payment-links.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { Deps } from '../deps.ts'
import { findMethodSetupOfLink } from '../method-setups/store.ts'
import { findPaymentRow } from '../payments/store.ts'
import { isTrialSetup, type Submission, type TrialSetup } from './submission.ts'
import { parseAgreement } from './trial-agreement.ts'

/** What a page shows of a payment, or of a free trial, which takes no money. */
export interface ReceiptSource {
  /** Of the payment or set-up. */
  id: string
  status: PaymentRow['status']
  /** Minor units. */
  amount: number
  currency: string
  quantity: number | null
  unit_amount: number | null
  description: string | null
  alt_key: string | null
  /** Null for a free trial, which no bank statement names. */
  reference: string | null
  payer_details: string | null
  /** When it was decided, or else begun. */
  date: string
  /** What the page shows of the legal entity. */
  legal_entity_version: PaymentRow['legal_entity_version']
  /** Undefined for a free trial. */
  payment?: PaymentRow
}

/** Finds what has paid a link, or is about to; undefined while nothing has. */
export async function findLinkReceipt(
  { db }: Pick<Deps, 'db'>,
  { id, instance_id, status, payment_id }: SessionLink,
): Promise<ReceiptSource | undefined> {
  if (status === 'ACTIVE' || id === null) return undefined
  if (payment_id !== null) {
    const payment = await findPaymentRow(db, instance_id, payment_id)
    return payment && ofPayment(payment)
  }
  const setup = await findMethodSetupOfLink(db, id)
  return setup && isTrialSetup(setup) ? ofTrial(setup) : undefined
}

/** Finds what a submission was for. */
export async function findSubmittedReceipt(
  { db }: Pick<Deps, 'db'>,
  submission: Submission,
): Promise<ReceiptSource | undefined> {
  if (isTrialSetup(submission)) return ofTrial(submission)
  const payment = await findPaymentRow(db, submission.instance_id, submission.payment_id)
  return payment && ofPayment(payment)
}

/** Returns the id of what a submission was for, as receipts have it. */
export function receiptIdOf(submission: Submission): string {
  return isTrialSetup(submission) ? submission.id : submission.payment_id
}

function ofPayment(payment: PaymentRow): ReceiptSource {
  return { ...payment, date: payment.processed ?? payment.created, payment }
}

function ofTrial(setup: TrialSetup): ReceiptSource {
  const { id, state, status, created, updated, payer_details } = setup
  const { currency, description, altKey, legalEntityVersion } = parseAgreement(setup)
  return {
    id,
    status: state === 'UNRESOLVED' || state === 'SENT' ? 'UNRESOLVED' : status,
    amount: 0,
    currency,
    quantity: null,
    unit_amount: null,
    description,
    alt_key: altKey,
    reference: null,
    payer_details,
    date: state === 'DONE' ? updated : created,
    legal_entity_version: legalEntityVersion,
  }
}
