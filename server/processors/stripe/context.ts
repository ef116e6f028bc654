import type { Log } from '../../observe/log.ts'
import type { FailpointName } from '../../failpoint.ts'
import type { Journal } from '../journal.ts'
import type { StripeClient } from './client.ts'
import type { StripeSettings } from './settings.ts'

/** What the parts of the adapter share. */
export interface StripeContext {
  client: StripeClient
  journal: Journal
  settings: StripeSettings
  /** The connection's keys are test keys. */
  test: boolean
  /** Epoch milliseconds, real time. */
  now: () => number
  log: Pick<Log, 'info' | 'warn' | 'error'>
  failpoint: (name: FailpointName) => void
}
