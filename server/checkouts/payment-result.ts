import type { Instance, LinkRow, PaymentRow } from '../db/rows.ts'
import { nextStep, redirectUrl } from '../../shared/rules/after-payment.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { formatMinor, parseAmount } from '../../shared/rules/money.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import type { CheckoutResult } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import {
  findAttempt,
  findAttemptByHandle,
  findNewestAttempt,
  type PayerAttempt,
} from '../payments/attempts.ts'
import { findPaymentRow } from '../payments/store.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { serializePayerAction } from './payer-action.ts'

/** What became of paying a link, as the payer may know it (contract sections 7.2 and 9). */

/**
 * The result that a page shows: the link's own payment when it is paid or awaits the bank, else
 * the newest attempt of this session, else that somebody else is paying, else nothing yet.
 */
export async function findCheckoutResult(
  deps: Deps,
  about: { instance: Instance; link: LinkRow; currency: string },
  checkoutId: string | undefined,
  handle: string | undefined,
): Promise<CheckoutResult | null> {
  const { instance, link } = about
  const newest = checkoutId ? await findNewestAttempt(deps.db, checkoutId) : undefined
  if (link.payment_id !== null && link.status !== 'ACTIVE') {
    const payment = await findPaymentRow(deps.db, instance.id, link.payment_id)
    const returned = handle === undefined ? undefined : await findAttemptByHandle(deps.db, handle)
    const own = [newest, returned].find((attempt) => attempt?.payment_id === payment?.id)
    if (payment) return paidResult(instance, link, payment, own)
  }
  // Somebody else's payment under way matters more than this session's own older decline.
  const claimedElsewhere = link.claim !== null && link.claim !== newest?.id
  if (newest && !(claimedElsewhere && newest.state === 'DONE')) {
    const payment = await findPaymentRow(deps.db, instance.id, newest.payment_id)
    if (payment) return attemptResult(deps, payment, newest)
  }
  const claimed = link.claim === null ? undefined : await findAttempt(deps.db, link.claim)
  return claimed ? busyResult(about, claimed.created) : null
}

/** The result of a link that is paid, or whose payment the bank or nobody has decided yet. */
function paidResult(
  instance: Instance,
  link: LinkRow,
  payment: PaymentRow,
  own: PayerAttempt | undefined,
): CheckoutResult {
  const outcome =
    payment.status === 'UNRESOLVED'
      ? 'CHECKING'
      : payment.status === 'SUCCESS'
        ? 'COMPLETED'
        : 'PENDING'
  // Nobody is sent away, and no shop is told anything, while nobody knows.
  const after = outcome === 'CHECKING' ? null : afterPayment(instance, link, outcome)
  return {
    ...paymentSummary(payment),
    outcome,
    // The address names the payer's account: it is for the payer, and not for every reader.
    redirect: own ? (after?.redirect ?? null) : null,
    transaction: own ? link.transaction_id : null,
    account: own ? link.account_id : null,
    skip_receipt: after?.skip_receipt ?? false,
    message: after?.message ?? null,
    message_id:
      outcome === 'CHECKING' ? 'status.checking' : outcome === 'PENDING' ? 'receipt.pending' : null,
    method: methodSummary(own),
  }
}

/** Where the payer goes after this outcome, with the redirect's parameters filled in. */
export function afterPayment(
  instance: Instance,
  link: LinkRow,
  outcome: 'COMPLETED' | 'PENDING',
): { redirect: string | null; skip_receipt: boolean; message: string | null } {
  const next = nextStep(parseLinkContent(link).options, outcome)
  const allowed = next.url !== null && !redirectTargetProblem(next.url, instance.mode === 'TEST')
  const redirect = allowed
    ? redirectUrl(next.url as string, {
        payment_link: link.id,
        status: outcome,
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

/** The result of this session's newest attempt while the link itself is still open. */
function attemptResult(deps: Deps, payment: PaymentRow, attempt: PayerAttempt): CheckoutResult {
  const outcome =
    attempt.state === 'DONE' ? 'DECLINED' : attempt.state === 'ACTION' ? 'ACTION' : 'CHECKING'
  return {
    ...paymentSummary(payment),
    outcome,
    message_id: outcome === 'CHECKING' ? 'status.checking' : attempt.message_id,
    method: methodSummary(attempt),
    action: outcome === 'ACTION' ? serializePayerAction(deps, attempt) : null,
  }
}

/** Somebody else is paying: the payer learns that, and nothing about who or how. */
function busyResult(
  { link, currency }: { link: LinkRow; currency: string },
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
    // What somebody else is paying where they may choose is between them and the merchant.
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
  method: null,
  action: null,
}

function paymentSummary(payment: PaymentRow) {
  return {
    ...EMPTY,
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
