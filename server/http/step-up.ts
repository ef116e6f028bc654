import type { Context } from 'hono'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import { incrementCounter } from '../rate-limits/counters.ts'

// What a route asks of the session of the console besides the permission. Other callers have no session:
// a secret key is a decision that was made before.

declare module 'hono' {
  interface ContextVariableMap {
    /** When the user of the console last proved who they are, in epoch milliseconds. */
    authenticated?: number
    /** The policy of the server requires a second factor here, and the user has used none. */
    secondFactorMissing?: true
  }
}

/** How long a proof of who one is counts for what is dangerous. */
export const STEP_UP_MS = 10 * 60_000

/** Throws a 403 ApiError for a session of the console whose user proved who they are too long ago. */
export function requireStepUp(c: Context, now: number): void {
  const authenticated = c.get('authenticated')
  if (authenticated === undefined || now - authenticated < STEP_UP_MS) return
  throw new ApiError(
    'STEP_UP_REQUIRED',
    'This needs a recent proof of who you are: sign in again, or use the dialog of the console',
  )
}

/**
 * Throws a 403 ApiError when a session of the console does more of something than `max` within ten
 * minutes, with a proof of who its user is that is older than that.
 */
export async function requireStepUpBeyond(
  { db, realNow }: { db: Db; realNow: () => number },
  c: Context,
  { what, max }: { what: string; max: number },
): Promise<void> {
  const [authenticated, now] = [c.get('authenticated'), realNow()]
  if (authenticated === undefined || now - authenticated < STEP_UP_MS) return
  const window = Math.floor(now / STEP_UP_MS) * STEP_UP_MS
  const done = await incrementCounter(
    db,
    { name: what, key: String(c.get('signedInUser')) },
    { window: formatInstant(window), now, expires: window + STEP_UP_MS },
  )
  if (done > max) requireStepUp(c, now)
}

/** Throws a 403 ApiError for a user who has signed in without a second factor where one is required. */
export function requireSecondFactor(c: Context): void {
  if (!c.get('secondFactorMissing')) return
  throw new ApiError(
    'SECOND_FACTOR_REQUIRED',
    'This server requires a second factor: add a passkey or an authenticator app in the console',
    { recordedAs: { event: 'second_factor_missing' } },
  )
}
