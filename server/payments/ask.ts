import type { Log } from '../observe/log.ts'
import type { ProcessorAnswer } from '../processors/port.ts'

/** How long a processor may take before its answer counts as lost. */
export const PROCESSOR_TIMEOUT_MS = 25_000

/**
 * Calls a processor so that it always gives an answer: one that throws or stays silent gives
 * UNKNOWN. No code path may turn silence into a decline (safety section 3.2, rule 2).
 */
export async function ask<T extends { status: string }>(
  log: Log,
  operation: string,
  call: () => Promise<T>,
): Promise<T | Extract<ProcessorAnswer, { status: 'UNKNOWN' }>> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PROCESSOR_TIMEOUT_MS)
  })
  try {
    return await Promise.race([call(), silence])
  } catch (error) {
    log.warn({ err: error, operation }, 'processor gave no answer')
    return { status: 'UNKNOWN' }
  } finally {
    clearTimeout(timer)
  }
}
