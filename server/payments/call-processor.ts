import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import type { ProcessorResponse, QueryResponse } from '../processors/port.ts'
import { withTimeout } from '../timeout.ts'
import type { Call } from './attempts.ts'
import { isProcessorResponse } from './processor-response.ts'

/** How long after a call must have ended somebody else may ask what became of it. */
const GRACE_MS = 5_000

/**
 * Calls a processor so that it always gives an answer: one that throws, makes no sense or stays
 * silent gives UNKNOWN after `waitMs` milliseconds at most. No code path may turn silence into a
 * decline (safety section 3.2, rule 2).
 */
export function callProcessor(
  deps: Pick<Deps, 'log' | 'config'>,
  operation: string,
  call: () => Promise<ProcessorResponse>,
  waitMs?: number,
): Promise<ProcessorResponse> {
  return answerOf(
    deps,
    operation,
    async () => {
      const said: unknown = await call()
      return isProcessorResponse(said) ? said : undefined
    },
    waitMs,
  )
}

/** The same for a look at an operation, which the processor may not know. */
export function queryProcessor(
  deps: Pick<Deps, 'log' | 'config'>,
  operation: string,
  query: () => Promise<QueryResponse>,
): Promise<QueryResponse> {
  return answerOf(deps, operation, async () => {
    const said: QueryResponse = await query()
    return said.status === 'NOT_FOUND' || isProcessorResponse(said) ? said : undefined
  })
}

async function answerOf<T>(
  deps: Pick<Deps, 'log' | 'config'>,
  operation: string,
  call: () => Promise<T | undefined>,
  waitMs = deps.config.processorTimeoutMs,
): Promise<T | Extract<ProcessorResponse, { status: 'UNKNOWN' }>> {
  try {
    const answer = await withTimeout(call(), waitMs, () => new Error('no answer in time'))
    if (answer === undefined) throw new Error('the answer makes no sense')
    return answer
  } catch (error) {
    deps.log.warn({ err: error, operation }, 'processor gave no answer')
    return { status: 'UNKNOWN' }
  }
}

/** How long a call to a processor may take with everything around it, milliseconds. */
export function callLastsMs(deps: Pick<Deps, 'config'>): number {
  return deps.config.processorTimeoutMs + GRACE_MS
}

/** When a call that begins at `now` has certainly ended, epoch milliseconds. */
export function callDeadline(deps: Pick<Deps, 'config'>, now: number): number {
  return now + callLastsMs(deps)
}

/** A call of this process that begins at `now`, epoch milliseconds. */
export function callFrom(deps: Pick<Deps, 'config' | 'owner'>, now: number): Call {
  return { now, callEnds: callDeadline(deps, now), owner: deps.owner() }
}

/** A call that was sent before this date-time has certainly ended. `now` is epoch milliseconds. */
export function abandonedBefore(deps: Pick<Deps, 'config'>, now: number): string {
  return formatInstant(now - callLastsMs(deps))
}
