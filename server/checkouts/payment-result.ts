import type { Instance } from '../db/tables/instances.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import { nextStep, redirectUrl } from '../../shared/rules/after-payment.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { maskEmail } from '../../shared/rules/email.ts'
import { formatMinor, parseAmount } from '../../shared/rules/money.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import type { CheckoutResult, PayerAction } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import { serializePayer } from '../payments/serialize-payer.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { isMailAddress } from '../smtp-url.ts'
import { listPaidCharges } from './charge-lines.ts'
import { findBegunContract } from './recurring.ts'
import {
  findLinkReceipt,
  findSubmittedReceipt,
  receiptIdOf,
  type ReceiptSource,
} from './receipt-source.ts'
import {
  findNewestSubmission,
  findSubmission,
  findSubmissionByHandle,
  type Submission,
} from './submission.ts'

interface ResultContext {
  instance: Instance
  link: SessionLink
  currency: string
  /** What the link is for is being paid without the link. */
  isBusy: boolean
}

/**
 * Returns the result that a page shows: the link's payment or free trial when it is paid or pending, else
 * the session's newest attempt, else that another payer is paying, else null.
 */
export async function findCheckoutResult(
  deps: Deps,
  context: ResultContext,
  checkoutId: string | undefined,
  handle: string | undefined,
): Promise<CheckoutResult | null> {
  const { link } = context
  const newest = checkoutId ? await findNewestSubmission(deps.db, checkoutId) : undefined
  const made = await findLinkReceipt(deps, link)
  if (made) {
    const returned =
      handle === undefined ? undefined : await findSubmissionByHandle(deps.db, handle)
    const own = [newest, returned].find((each) => each && receiptIdOf(each) === made.id)
    return {
      ...(await paidResult(deps, context, made, own)),
      receipt_to: own ? receiptAddress(deps, link, made) : null,
    }
  }
  // Another payer's payment in progress takes precedence over this session's earlier decline. What the
  // payer has left is not shown.
  const claimedElsewhere = link.claim !== null && link.claim !== newest?.id
  const isOver = newest?.set_aside === 1 || (claimedElsewhere && newest?.state === 'DONE')
  if (newest && !isOver) {
    const submitted = await findSubmittedReceipt(deps, newest)
    if (submitted) return attemptResult(deps, link, submitted, newest)
  }
  const claimed = link.claim === null ? undefined : await findSubmission(deps.db, link.claim)
  if (claimed) return busyResult(context, claimed.created)
  return context.isBusy ? busyResult(context, formatInstant(deps.now())) : null
}

/** Returns the result of a link whose payment or free trial succeeded, is pending or is unresolved. */
async function paidResult(
  deps: Deps,
  { instance, link }: ResultContext,
  made: ReceiptSource,
  own: Submission | undefined,
): Promise<CheckoutResult> {
  const outcome =
    made.status === 'UNRESOLVED' ? 'CHECKING' : made.status === 'SUCCESS' ? 'COMPLETED' : 'PENDING'
  // While the outcome is unknown, do not redirect the payer or notify the merchant.
  const after = outcome === 'CHECKING' ? null : afterPayment(instance, link, outcome)
  return {
    ...receiptSummary(made, link, own !== undefined),
    outcome,
    // These identify the payer, so other visitors of a paid link do not see them.
    redirect: own ? (after?.redirect ?? null) : null,
    transaction: own ? link.transaction_id : null,
    account: own ? link.account_id : null,
    skip_receipt: after?.skip_receipt ?? false,
    message: after?.message ?? null,
    message_id:
      outcome === 'CHECKING' ? 'status.checking' : outcome === 'PENDING' ? 'receipt.pending' : null,
    method: methodSummary(own),
    ...(own && (await paidRecordsView(deps, link, made))),
  }
}

/**
 * Returns the address, masked, to which the receipt of a success is sent; null if none is sent. The
 * isolates keep its order within a sentence from right to left.
 */
function receiptAddress(deps: Deps, link: SessionLink, made: ReceiptSource): string | null {
  const { receipt_email } = parseLinkContent(link).options
  if (deps.config.mail === undefined || !receipt_email || made.status !== 'SUCCESS') return null
  const email = serializePayer(made.payer_details)?.email
  return email == null || !isMailAddress(email) ? null : `\u2068${maskEmail(email)}\u2069`
}

/** Returns the charges that a payment was for, or the contract that it or a free trial began. */
async function paidRecordsView(
  { db }: Deps,
  link: SessionLink,
  { payment }: ReceiptSource,
): Promise<Pick<CheckoutResult, 'charges' | 'recurring'>> {
  const recurring = await findBegunContract(db, link)
  if (recurring) return { recurring }
  return payment && link.charge_id !== null ? { charges: await listPaidCharges(db, payment) } : {}
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
  submitted: ReceiptSource,
  attempt: Submission,
): Promise<CheckoutResult> {
  const outcome =
    attempt.state === 'DONE' ? 'DECLINED' : attempt.state === 'ACTION' ? 'ACTION' : 'CHECKING'
  return {
    ...receiptSummary(submitted, link, true),
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
  submission: Submission,
): Promise<PayerAction | null> {
  const { method_type, action_url } = submission
  if (action_url === null) return null
  const methods = (await deps.processors.get(submission))?.capabilities.methods ?? []
  const framed = methods.find(({ type }) => type === method_type)?.framed ?? false
  return { type: 'REDIRECT', url: action_url, ...(framed ? { in_frame: true } : {}) }
}

/** Returns that another payer is paying, without any data about them. */
function busyResult(
  { link, currency }: Pick<ResultContext, 'link' | 'currency'>,
  since: string,
): CheckoutResult {
  const { recurring, amount: price } = parseLinkContent(link).options
  const amount = recurring?.trial_days == null ? price : '0'
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
export function receiptSummary(made: ReceiptSource, link: SessionLink, isOwn: boolean) {
  const { description_editable } = payerFields(parseLinkContent(link).options)
  const { description, quantity, unit_amount, reference, alt_key, amount, currency, date } = made
  const text = (minor: number) => amountText(minor, currency)
  return {
    ...EMPTY,
    ...(quantity !== null && { quantity }),
    ...(unit_amount !== null && { unit_amount: text(unit_amount) }),
    ...(description && (isOwn || !description_editable) && { description }),
    reference,
    alt_key,
    amount: text(amount),
    currency,
    currency_digits: currencyDigits(currency) ?? 2,
    date,
  }
}

export function methodSummary(attempt: Submission | undefined): CheckoutResult['method'] {
  if (!attempt) return null
  return { type: attempt.method_type, brand: attempt.method_brand, last4: attempt.method_last4 }
}
