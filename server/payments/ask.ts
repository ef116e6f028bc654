import type { Deps } from '../deps.ts'
import type { ProcessorAnswer } from '../processors/port.ts'

/** How long after a call must have ended somebody else may ask what became of it. */
const GRACE_MS = 5_000

/**
 * Calls a processor so that it always gives an answer: one that throws or stays silent gives
 * UNKNOWN after `waitMs` milliseconds. No code path may turn silence into a decline (safety section 3.2, rule 2).
 */
export async function ask<T extends { status: string }>(
  deps: Pick<Deps, 'log' | 'config'>,
  operation: string,
  call: () => Promise<T>,
  waitMs = deps.config.processorTimeoutMs,
): Promise<T | Extract<ProcessorAnswer, { status: 'UNKNOWN' }>> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), waitMs)
  })
  try {
    return await Promise.race([call(), silence])
  } catch (error) {
    deps.log.warn({ err: error, operation }, 'processor gave no answer')
    return { status: 'UNKNOWN' }
  } finally {
    clearTimeout(timer)
  }
}

/** How long a call to a processor may take with everything around it, milliseconds. */
export function callLastsMs(deps: Pick<Deps, 'config'>): number {
  return deps.config.processorTimeoutMs + GRACE_MS
}

/** When a call that begins at `now` has certainly ended, epoch milliseconds. */
export function callEnds(deps: Pick<Deps, 'config'>, now: number): number {
  return now + callLastsMs(deps)
}
