import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { Deps, SettledAttempt } from '../deps.ts'
import { invalidState } from '../errors.ts'
import type { FailpointName } from '../failpoint.ts'
import type { Processor, ProcessorResponse } from '../processors/port.ts'
import { callProcessor } from './call-processor.ts'
import { settleAttempt } from './settle.ts'
import { findTransaction } from './store.ts'

interface Failpoints {
  stored: FailpointName
  answered: FailpointName
  settled: FailpointName
}

const FAILPOINTS = {
  payment: { stored: 'attempt-stored', answered: 'processor-answered', settled: 'outcome-stored' },
  capture: { stored: 'capture-stored', answered: 'capture-answered', settled: 'capture-settled' },
  refund: { stored: 'refund-stored', answered: 'refund-answered', settled: 'refund-settled' },
  void: { stored: 'void-stored', answered: 'void-answered', settled: 'void-settled' },
  collection: {
    stored: 'collection-stored',
    answered: 'collection-answered',
    settled: 'collection-settled',
  },
} as const satisfies Record<string, Failpoints>

interface MaybeCalled {
  /** Undefined when there is nothing to ask the processor. */
  attempt?: AttemptRow | undefined
}

type Called<Stored extends MaybeCalled> = Extract<Stored, { attempt: AttemptRow }>

/**
 * Runs an operation at a processor: stores its attempt, calls the processor and settles the attempt
 * with the response. `store` commits the attempt before the call, under the id that the processor
 * takes as idempotency key: after a crash the outcome is queried, and no money moves twice.
 */
export async function runOperation<Stored extends MaybeCalled>(
  deps: Deps,
  operation: {
    name: keyof typeof FAILPOINTS
    store: () => Promise<Stored>
    /** `signal` is aborted when the call counts as unanswered. */
    call: (stored: Called<Stored>, signal: AbortSignal) => Promise<ProcessorResponse>
    /** Milliseconds; the configured timeout when left out. */
    timeoutMs?: number
  },
): Promise<{ stored: Stored; settled?: SettledAttempt | undefined }> {
  const stored = await operation.store()
  if (!isCalled(stored)) return { stored }
  const { attempt } = stored
  const failpoints = FAILPOINTS[operation.name]
  deps.failpoint(failpoints.stored)
  const response = await callProcessor(
    deps,
    attempt.id,
    (signal) => operation.call(stored, signal),
    operation.timeoutMs,
  )
  deps.failpoint(failpoints.answered)
  const settled = await settleAttempt(deps, attempt.id, response)
  deps.failpoint(failpoints.settled)
  return { stored, settled }
}

function isCalled<Stored extends MaybeCalled>(stored: Stored): stored is Called<Stored> {
  return stored.attempt !== undefined
}

/** Returns the processor that took or reserved the money. Throws INVALID_STATE when it is gone. */
export async function requireProcessor(deps: Deps, payment: PaymentRow): Promise<Processor> {
  const transaction =
    payment.transaction_id === null
      ? undefined
      : await findTransaction(deps.db, payment.instance_id, payment.transaction_id)
  const processor = transaction && (await deps.processors.get(transaction))
  if (!processor) throw invalidState('The processor of the payment is not configured')
  return processor
}

/** Returns the processor's reference of an approved payment. Throws INVALID_STATE without one. */
export function requireGatewayReference(payment: PaymentRow): string {
  if (payment.gateway_reference === null) {
    throw invalidState('Payment is not yet known to the processor')
  }
  return payment.gateway_reference
}
