import type { GatewayStatus } from '../../shared/schemas/transaction.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { AttemptsTable, PaymentStatus, TransactionsTable } from '../db/tables.ts'
import type { DeclineCode, ProcessorResponse, ThreeDs } from '../processors/port.ts'

/** What a processor's answer means for our records, as one table (contract section 10.2). */
export interface Outcome {
  attempt: AttemptsTable['state']
  payment: PaymentStatus
  transaction: TransactionsTable['status']
  gateway: GatewayStatus
  gatewayMessage: string | null
  reference: string | null
  threeDs: ThreeDs | null
  /** What the payer is told, as a string id. */
  messageId: string | null
  /** When to ask the processor next; null once nothing more is to be learnt. */
  nextCheck: string | null
  final: boolean
}

/** How often an unanswered question is asked again, in milliseconds after the last time. */
const PATIENCE = [5_000, 30_000, 120_000, 600_000, 3_600_000]
const ACTION_PATIENCE = [5_000, 15_000, 30_000, 60_000]

/** What the payer is told of a decline, as string ids. */
export const DECLINE_MESSAGES: Record<DeclineCode, string> = {
  DECLINED: 'errors.declined',
  INSUFFICIENT_FUNDS: 'errors.insufficient_funds',
  EXPIRED_CARD: 'errors.expired_card',
  // Saying that only the security code is wrong would help somebody who is guessing it.
  WRONG_SECURITY_CODE: 'errors.declined',
  INVALID_METHOD: 'errors.declined',
  AUTHENTICATION_FAILED: 'errors.authentication_failed',
  CANCELLED: 'errors.cancelled',
}

/** Reads an answer; `checks` is how often the processor was asked before, `now` epoch ms. */
export function outcomeOf(answer: ProcessorResponse, at: { checks: number; now: number }): Outcome {
  const base = {
    gatewayMessage: null,
    reference: 'reference' in answer ? answer.reference : null,
    threeDs: 'three_ds' in answer ? (answer.three_ds ?? null) : null,
    messageId: null,
    nextCheck: null,
    final: true,
  }
  const later = (ms: number) => formatInstant(at.now + ms)
  switch (answer.status) {
    case 'APPROVED':
      return {
        ...base,
        attempt: 'DONE',
        payment: 'SUCCESS',
        transaction: 'SUCCESS',
        gateway: 'APPROVED',
      }
    case 'DECLINED':
      return {
        ...base,
        attempt: 'DONE',
        payment: 'DECLINE',
        transaction: 'DECLINE',
        gateway: 'DECLINED',
        gatewayMessage: answer.message,
        messageId: DECLINE_MESSAGES[answer.code],
      }
    case 'ERROR':
      return {
        ...base,
        attempt: 'DONE',
        payment: 'DECLINE',
        transaction: 'DECLINE',
        gateway: 'DECLINED_ERROR',
        gatewayMessage: answer.message,
        messageId: 'errors.processor_error',
      }
    case 'PENDING':
      return {
        ...base,
        attempt: 'PENDING',
        payment: 'PENDING',
        transaction: 'PENDING',
        gateway: 'PENDING',
        gatewayMessage: answer.message ?? null,
        messageId: 'receipt.pending',
        nextCheck: later(Math.max(answer.check_after_ms, 100)),
        final: false,
      }
    case 'ACTION':
      return {
        ...base,
        attempt: 'ACTION',
        payment: 'PENDING',
        transaction: 'PENDING',
        gateway: 'PENDING',
        messageId: 'status.confirm_with_bank',
        nextCheck: later(patience(ACTION_PATIENCE, at.checks)),
        final: false,
      }
    case 'UNKNOWN':
      return {
        ...base,
        attempt: 'UNRESOLVED',
        payment: 'UNRESOLVED',
        transaction: 'UNRESOLVED',
        gateway: 'UNRESOLVED',
        messageId: 'status.checking',
        nextCheck: later(retryDelay(at.checks)),
        final: false,
      }
  }
}

/** Milliseconds until something unanswered is asked for again, after it was so many times. */
export function retryDelay(checks: number): number {
  return patience(PATIENCE, checks)
}

function patience(steps: readonly number[], checks: number): number {
  return steps[Math.min(checks, steps.length - 1)] as number
}

/** What an outcome writes about the processor into a payment, transaction or refund. */
export function gatewayColumns(outcome: Outcome): {
  gateway_status: string
  gateway_message: string | null
  gateway_reference?: string
} {
  return {
    gateway_status: outcome.gateway,
    gateway_message: outcome.gatewayMessage,
    // A later answer without a reference must not erase the one that is known.
    ...(outcome.reference === null ? {} : { gateway_reference: outcome.reference }),
  }
}
