import type { MethodDetails, ProcessorResponse, ThreeDs } from '../port.ts'
import type { Refused, StripeErrorBody } from './client.ts'
import type { StripeContext } from './context.ts'
import { CANCELLED, declineCode, isUnusableMethod, retryAdvice } from './decline.ts'

/** Why an operation failed, as the journal keeps it. */
export interface FailureReason extends Omit<StripeErrorBody, 'type'> {
  /** Stripe refused before any bank was asked, for a reason that is not the payer's. */
  refused?: boolean
}

/** Keeps why Stripe refused a confirmation that has reached no bank. */
export function noteRefusal(
  { journal }: StripeContext,
  operation: string,
  { status, error }: Refused,
): Promise<void> {
  const refused = status !== 402 && !isUnusableMethod(error)
  return journal.amend(operation, { reason: reasonText({ ...error, refused }) })
}

/** The members that a response is made of. */
export function reasonText(reason: FailureReason): string {
  const { code, decline_code, advice_code, message, param, refused } = reason
  return JSON.stringify({ code, decline_code, advice_code, message, param, refused })
}

/** Returns the noted reason; undefined when the operation has not failed. */
export async function readReason(
  { journal }: StripeContext,
  operation: string,
): Promise<FailureReason | undefined> {
  const entry = await journal.find(operation)
  if (entry === undefined || entry === 'CANCELLED' || entry.reason === null) return undefined
  return JSON.parse(entry.reason) as FailureReason
}

/** Returns the response for a canceled intent: with the reason of its failure, where it had one. */
export function failureResponse(
  reference: string,
  reason: FailureReason | undefined,
  details: { method?: MethodDetails; three_ds?: ThreeDs },
): ProcessorResponse {
  if (!reason) return { ...CANCELLED, reference }
  if (reason.refused) return { status: 'ERROR', message: reason.message ?? '' }
  return {
    status: 'DECLINED',
    reference,
    code: declineCode(reason),
    message: reason.message ?? '',
    ...details,
    retry: retryAdvice(reason),
  }
}
