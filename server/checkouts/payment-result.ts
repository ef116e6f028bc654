import type { Instance } from '../db/tables/instances.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import { nextStep, redirectUrl } from '../../shared/rules/after-payment.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { maskEmail } from '../../shared/rules/email.ts'
import { formatMinor, parseAmount } from '../../shared/rules/money.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import type { CheckoutResult, PayerAction } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import {
  findAttempt,
  findAttemptByHandle,
  findNewestAttempt,
  type PayerAttempt,
} from '../payments/attempts.ts'
import { serializePayer } from '../payments/serialize-payer.ts'
import { findPaymentRow } from '../payments/store.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { isMailAddress } from '../smtp-url.ts'
import { listPaidCharges } from './charge-lines.ts'
import { findBegunContract } from './recurring.ts'

interface ResultContext {
  instance: Instance
  link: SessionLink
  currency: string
  /** What the link is for is being paid without the link. */
  isBusy: boolean
}

/**
 * Returns the result that a page shows: the link's payment when it is paid or pending, else the
 * session's newest attempt, else that another payer is paying, else null.
 */
export async function findCheckoutResult(
  deps: Deps,
  context: ResultContext,
  checkoutId: string | undefined,
  handle: string | undefined,
): Promise<CheckoutResult | null> {
  const { instance, link } = context
  const newest = checkoutId ? await findNewestAttempt(deps.db, checkoutId) : undefined
  if (link.payment_id !== null && link.status !== 'ACTIVE') {
    const payment = await findPaymentRow(deps.db, instance.id, link.payment_id)
    const returned = handle === undefined ? undefined : await findAttemptByHandle(deps.db, handle)
    const ownAttempt = [newest, returned].find((attempt) => attempt?.payment_id === payment?.id)
    if (payment) {
      return {
        ...(await paidResult(deps, context, payment, ownAttempt)),
        receipt_to: ownAttempt ? receiptAddress(deps, link, payment) : null,
      }
    }
  }
  // Another payer's payment in progress takes precedence over this session's earlier decline. What the
  // payer has left is not shown.
  const claimedElsewhere = link.claim !== null && link.claim !== newest?.id
  const isOver = newest?.set_aside === 1 || (claimedElsewhere && newest?.state === 'DONE')
  if (newest && !isOver) {
    const payment = await findPaymentRow(deps.db, instance.id, newest.payment_id)
    if (payment) return attemptResult(deps, link, payment, newest)
  }
  const claimed = link.claim === null ? undefined : await findAttempt(deps.db, link.claim)
  if (claimed) return busyResult(context, claimed.created)
  return context.isBusy ? busyResult(context, formatInstant(deps.now())) : null
}

/** Returns the result of a link whose payment succeeded, is pending or is unresolved. */
async function paidResult(
  deps: Deps,
  { instance, link }: ResultContext,
  payment: PaymentRow,
  ownAttempt: PayerAttempt | undefined,
): Promise<CheckoutResult> {
  const outcome =
    payment.status === 'UNRESOLVED'
      ? 'CHECKING'
      : payment.status === 'SUCCESS'
        ? 'COMPLETED'
        : 'PENDING'
  // While the outcome is unknown, do not redirect the payer or notify the merchant.
  const after = outcome === 'CHECKING' ? null : afterPayment(instance, link, outcome)
  return {
    ...paymentSummary(payment, link, ownAttempt !== undefined),
    outcome,
    // These identify the payer, so other visitors of a paid link do not see them.
    redirect: ownAttempt ? (after?.redirect ?? null) : null,
    transaction: ownAttempt ? link.transaction_id : null,
    account: ownAttempt ? link.account_id : null,
    skip_receipt: after?.skip_receipt ?? false,
    message: after?.message ?? null,
    message_id:
      outcome === 'CHECKING' ? 'status.checking' : outcome === 'PENDING' ? 'receipt.pending' : null,
    method: methodSummary(ownAttempt),
    ...(ownAttempt && (await paidRecordsView(deps, link, payment))),
  }
}

/**
 * Returns the address, masked, to which the receipt of a successful payment is sent; null if none is
 * sent. The isolates keep its order within a sentence from right to left.
 */
function receiptAddress(deps: Deps, link: SessionLink, payment: PaymentRow): string | null {
  const { receipt_email } = parseLinkContent(link).options
  if (deps.config.mail === undefined || !receipt_email || payment.status !== 'SUCCESS') return null
  const email = serializePayer(payment.payer_details)?.email
  return email == null || !isMailAddress(email) ? null : `\u2068${maskEmail(email)}\u2069`
}

/** Returns the charges that a payment was for, or the contract that it began. */
async function paidRecordsView(
  { db }: Deps,
  link: SessionLink,
  payment: PaymentRow,
): Promise<Pick<CheckoutResult, 'charges' | 'recurring'>> {
  if (link.charge_id === null) return {}
  const recurring = await findBegunContract(db, link)
  return recurring ? { recurring } : { charges: await listPaidCharges(db, payment) }
}

/** Returns where the payer goes after an outcome, with the redirect's query parameters. */
export function afterPayment(
  instance: Instance,
  link: SessionLink,
  outcome: 'COMPLETED' | 'PENDING',
): { redirect: string | null; skip_receipt: boolean; message: string | null } {
  const next = nextStep(parseLinkContent(link).options, outcome)
  const allowed = next.url !== null && !redirectTargetProblem(next.url, instance.mode === 'TEST')
  const redirect = allowed
    ? redirectUrl(next.url as string, {
        payment_link: link.id ?? '',
        deep_link: link.deep_link_id,
        status: outcome,
        contract: link.contract_id,
        charge: link.charge_id,
        transaction: link.transaction_id,
        payment_method: link.payment_method_id,
        account: link.account_id,
      })
    : null
  return {
    redirect,
    skip_receipt: next.step === 'REDIRECT' && redirect !== null,
    message: next.message,
  }
}

/** Returns the result of the session's newest attempt while the link is still unpaid. */
async function attemptResult(
  deps: Deps,
  link: SessionLink,
  payment: PaymentRow,
  attempt: PayerAttempt,
): Promise<CheckoutResult> {
  const outcome =
    attempt.state === 'DONE' ? 'DECLINED' : attempt.state === 'ACTION' ? 'ACTION' : 'CHECKING'
  return {
    ...paymentSummary(payment, link, true),
    outcome,
    message_id: outcome === 'CHECKING' ? 'status.checking' : attempt.message_id,
    method: methodSummary(attempt),
    action: outcome === 'ACTION' ? await serializePayerAction(deps, attempt) : null,
  }
}

/**
 * Returns the redirect that an attempt requires, or null. `in_frame` only where the processor declares
 * that its bank pages may be framed; otherwise an embedded payer would see an empty frame.
 */
export async function serializePayerAction(
  deps: Deps,
  attempt: PayerAttempt,
): Promise<PayerAction | null> {
  const { method_type, action_url } = attempt
  if (action_url === null) return null
  const methods = (await deps.processors.get(attempt))?.capabilities.methods ?? []
  const framed = methods.find(({ type }) => type === method_type)?.framed ?? false
  return { type: 'REDIRECT', url: action_url, ...(framed ? { in_frame: true } : {}) }
}

/** Returns that another payer is paying, without any data about them. */
function busyResult(
  { link, currency }: Pick<ResultContext, 'link' | 'currency'>,
  since: string,
): CheckoutResult {
  const { amount } = parseLinkContent(link).options
  const digits = currencyDigits(currency) ?? 2
  const fixed = amount == null ? undefined : parseAmount(amount, digits)
  return {
    ...EMPTY,
    outcome: 'BUSY',
    reference: null,
    alt_key: null,
    // An amount that the other payer chose is not shown.
    amount: fixed?.ok ? formatMinor(fixed.minor, digits) : null,
    currency,
    currency_digits: digits,
    date: since,
    message_id: 'status.busy',
  }
}

const EMPTY = {
  redirect: null,
  transaction: null,
  account: null,
  skip_receipt: false,
  message: null,
  message_id: null,
  receipt_to: null,
  method: null,
  action: null,
}

/** `isOwn`: the session that paid sees the comment that its payer entered. */
function paymentSummary(payment: PaymentRow, link: SessionLink, isOwn: boolean) {
  const { description_editable } = payerFields(parseLinkContent(link).options)
  const { description } = payment
  const text = (minor: number) => amountText(minor, payment.currency)
  return {
    ...EMPTY,
    ...(payment.quantity !== null && { quantity: payment.quantity }),
    ...(payment.unit_amount !== null && { unit_amount: text(payment.unit_amount) }),
    ...(description && (isOwn || !description_editable) && { description }),
    reference: payment.reference,
    alt_key: payment.alt_key,
    amount: amountText(payment.amount, payment.currency),
    currency: payment.currency,
    currency_digits: currencyDigits(payment.currency) ?? 2,
    date: payment.processed ?? payment.created,
  }
}

function methodSummary(attempt: PayerAttempt | undefined): CheckoutResult['method'] {
  if (!attempt) return null
  return { type: attempt.method_type, brand: attempt.method_brand, last4: attempt.method_last4 }
}
