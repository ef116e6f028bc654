import { withTimeout } from './timeout.ts'
import type { Log } from './observe/log.ts'

/**
 * Waits for what ends by itself, for so long and no longer: a database that hangs must not keep a
 * process that was asked to end. Throws an Error when it was not over in time.
 */
export async function closeWithin(
  ending: Promise<void>,
  { ms, log }: { ms: number; log: Pick<Log, 'fatal'> },
): Promise<void> {
  await withTimeout(ending, ms, () => {
    log.fatal({ ms }, 'the server could not end in time and is ended as it is')
    return new Error(`The server could not end within ${ms / 1000} seconds`)
  })
}
