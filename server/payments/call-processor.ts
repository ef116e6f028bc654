import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import type { ProcessorResponse, QueryResponse } from '../processors/port.ts'
import { withTimeout } from '../timeout.ts'
import type { ProcessorCall } from './attempts.ts'
import { isProcessorResponse } from './processor-response.ts'

/** Time for everything around a call, added to the processor's timeout. */
const GRACE_MS = 5_000

type CallDeps = Pick<Deps, 'log' | 'config'>

/**
 * Calls a processor and always returns a response. A call that throws, returns an invalid response or
 * takes longer than `timeoutMs` returns UNKNOWN: a missing response must never become a decline.
 */
export function callProcessor(
  deps: CallDeps,
  operation: string,
  call: (signal: AbortSignal) => Promise<ProcessorResponse>,
  timeoutMs?: number,
): Promise<ProcessorResponse> {
  const checked = async (signal: AbortSignal) => {
    const response: unknown = await call(signal)
    return isProcessorResponse(response) ? response : undefined
  }
  return orUnknown(deps, operation, checked, timeoutMs)
}

/** Like `callProcessor`, for a query of an operation that the processor may not know. */
export function queryProcessor(
  deps: CallDeps,
  operation: string,
  query: () => Promise<QueryResponse>,
): Promise<QueryResponse> {
  return orUnknown(deps, operation, async () => {
    const response: QueryResponse = await query()
    return response.status === 'NOT_FOUND' || isProcessorResponse(response) ? response : undefined
  })
}

async function orUnknown<T>(
  deps: CallDeps,
  operation: string,
  call: (signal: AbortSignal) => Promise<T | undefined>,
  timeoutMs = deps.config.processorTimeoutMs,
): Promise<T | Extract<ProcessorResponse, { status: 'UNKNOWN' }>> {
  const ended = new AbortController()
  try {
    const late = () => new Error('no response in time')
    const response = await withTimeout(call(ended.signal), timeoutMs, late)
    if (response === undefined) throw new Error('invalid response')
    return response
  } catch (error) {
    deps.log.warn({ err: error, operation }, 'processor gave no answer')
    return { status: 'UNKNOWN' }
  } finally {
    // An adapter that still works must not send another request.
    ended.abort()
  }
}

/** Returns how long a call to a processor may take with everything around it, in milliseconds. */
export function callDurationMaxMs(deps: Pick<Deps, 'config'>): number {
  return deps.config.processorTimeoutMs + GRACE_MS
}

/** Returns when a call that starts at `now` has certainly ended. Both are epoch milliseconds. */
export function callDeadline(deps: Pick<Deps, 'config'>, now: number): number {
  return now + callDurationMaxMs(deps)
}

/** `now` is epoch milliseconds. */
export function newCall(deps: Pick<Deps, 'config' | 'owner'>, now: number): ProcessorCall {
  return { now, callEnds: callDeadline(deps, now), owner: deps.owner() }
}

/** Returns a date-time: calls that started before it have certainly ended. `now` is epoch ms. */
export function abandonedBefore(deps: Pick<Deps, 'config'>, now: number): string {
  return formatInstant(now - callDurationMaxMs(deps))
}
