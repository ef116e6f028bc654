import type { GatewayStatus } from '../../shared/schemas/transaction.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentRow, AttemptsTable, TransactionsTable } from '../db/tables/payments.ts'
import type { DeclineCode, ProcessorResponse, RetryAdvice, ThreeDs } from '../processors/port.ts'

/** What a processor's response means for the attempt, the payment and the transaction. */
export interface Outcome {
  attempt: AttemptsTable['state']
  /** Of the payment or capture, and of the transaction. */
  status: TransactionsTable['status']
  gateway: GatewayStatus
  gatewayMessage: string | null
  reference: string | null
  threeDs: ThreeDs | null
  /** Of a decline: whether the method may be charged again; null without advice. */
  retryAdvice: RetryAdvice | null
  /** Of a decline: its reason; `ERROR` for one of the processor itself. */
  declineCode: DeclineCode | 'ERROR' | null
  /** The string id of the message for the payer. */
  messageId: string | null
  /** When to query the processor next, date-time; null for a final outcome. */
  nextCheck: string | null
  final: boolean
}

/** Milliseconds between queries. The last delay repeats. */
const RETRY_DELAYS = [5_000, 30_000, 120_000, 600_000, 3_600_000]
const ACTION_DELAYS = [5_000, 15_000, 30_000, 60_000]

/** String ids of the messages for the payer. */
export const DECLINE_MESSAGES: Record<DeclineCode, string> = {
  DECLINED: 'errors.declined',
  INSUFFICIENT_FUNDS: 'errors.insufficient_funds',
  EXPIRED_CARD: 'errors.expired_card',
  // A message about the security code alone would help to guess it.
  WRONG_SECURITY_CODE: 'errors.declined',
  INVALID_METHOD: 'errors.declined',
  AUTHENTICATION_FAILED: 'errors.authentication_failed',
  AUTHENTICATION_REQUIRED: 'errors.authentication_failed',
  CANCELLED: 'errors.cancelled',
}

/** `checks` is the number of earlier queries, `now` epoch milliseconds. */
export function toOutcome(
  response: ProcessorResponse,
  query: { checks: number; now: number },
): Outcome {
  const base = {
    gatewayMessage: null,
    reference: 'reference' in response ? response.reference : null,
    threeDs: 'three_ds' in response ? (response.three_ds ?? null) : null,
    retryAdvice: null,
    declineCode: null,
    messageId: null,
    nextCheck: null,
    final: true,
  }
  const later = (ms: number) => formatInstant(query.now + ms)
  switch (response.status) {
    case 'APPROVED':
      return {
        ...base,
        attempt: 'DONE',
        status: 'SUCCESS',
        gateway: 'APPROVED',
      }
    case 'DECLINED':
      return {
        ...base,
        attempt: 'DONE',
        status: 'DECLINE',
        gateway: 'DECLINED',
        gatewayMessage: response.message,
        retryAdvice: retryAdvice(response),
        declineCode: response.code,
        messageId: DECLINE_MESSAGES[response.code],
      }
    case 'ERROR':
      return {
        ...base,
        attempt: 'DONE',
        status: 'DECLINE',
        gateway: 'DECLINED_ERROR',
        declineCode: 'ERROR',
        gatewayMessage: response.message,
        messageId: 'errors.processor_error',
      }
    case 'PENDING':
      return {
        ...base,
        attempt: 'PENDING',
        status: 'PENDING',
        gateway: 'PENDING',
        gatewayMessage: response.message ?? null,
        messageId: 'receipt.pending',
        nextCheck: later(Math.max(response.check_after_ms, 100)),
        final: false,
      }
    case 'ACTION':
      return {
        ...base,
        attempt: 'ACTION',
        status: 'PENDING',
        gateway: 'PENDING',
        messageId: 'status.confirm_with_bank',
        nextCheck: later(delay(ACTION_DELAYS, query.checks)),
        final: false,
      }
    case 'UNKNOWN':
      return {
        ...base,
        attempt: 'UNRESOLVED',
        status: 'UNRESOLVED',
        gateway: 'UNRESOLVED',
        messageId: 'status.checking',
        nextCheck: later(statusSyncDelay(query.checks)),
        final: false,
      }
  }
}

/** A bank that wants the payer declines every repeat without them, also when its processor is silent. */
function retryAdvice({
  code,
  retry,
}: Extract<ProcessorResponse, { status: 'DECLINED' }>): RetryAdvice | null {
  return code === 'AUTHENTICATION_REQUIRED' ? 'WITH_PAYER' : (retry ?? null)
}

/** Returns the milliseconds until the next query, after `checks` queries without an outcome. */
export function statusSyncDelay(checks: number): number {
  return delay(RETRY_DELAYS, checks)
}

function delay(steps: readonly number[], checks: number): number {
  return steps[Math.min(checks, steps.length - 1)] as number
}

/** The columns of a payment, transaction or refund about the processor's response. */
export function gatewayColumns(outcome: Outcome): {
  gateway_status: string
  gateway_message: string | null
  gateway_reference?: string
} {
  return {
    gateway_status: outcome.gateway,
    gateway_message: outcome.gatewayMessage,
    // A later response without a reference keeps the stored one.
    ...(outcome.reference === null ? {} : { gateway_reference: outcome.reference }),
  }
}

/** The columns of a payment or capture about what the processor kept; none until it is known. */
export function feeColumns(
  response: ProcessorResponse,
): Partial<Pick<PaymentRow, 'fee_amount' | 'net_amount' | 'fee_currency'>> {
  if (response.status !== 'APPROVED' || !response.fees) return {}
  const { fee, net, currency } = response.fees
  return { fee_amount: fee, net_amount: net, fee_currency: currency }
}
