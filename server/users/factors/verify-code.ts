import { formatInstant } from '../../../shared/rules/time.ts'
import type { Config } from '../../config.ts'
import { lockRow } from '../../db/row-locks.ts'
import type { Db } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Log } from '../../observe/log.ts'
import type { SecurityEvents } from '../../observe/security-events.ts'
import { clientNetwork } from '../../rate-limits/client-network.ts'
import {
  clearFailures,
  countFailure,
  findDelay,
  type Lockout,
  type LockoutSubject,
} from '../../rate-limits/lockout.ts'
import { TooManyAttempts } from '../verify-password.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { findTotp, raiseCounter } from './store.ts'
import { decryptTotpSecret, TOTP_CODE, verifyTotp } from './totp.ts'

interface Deps {
  db: Db
  config: Config
  now: () => number
  security: SecurityEvents
  log: Pick<Log, 'error'>
}

const DELAY_MAX_MS = 15 * 60_000
/** Only who knows the password gets here, so these delay a guesser and hardly ever the user. */
const PER_USER_AND_NETWORK: Lockout = {
  name: 'code-user-and-network',
  freeFailures: 5,
  delayMaxMs: DELAY_MAX_MS,
}
const PER_USER: Lockout = { name: 'code-user', freeFailures: 20, delayMaxMs: DELAY_MAX_MS }

interface Attempt {
  userId: string
  typed: string
  /** The client's IP address. */
  address: string | undefined
}

/** What a typed code turned out to be. */
export type CodeKind = 'TOTP' | 'RECOVERY_CODE'

/**
 * Spends a one-time code or a recovery code of a user, which counts once. Returns what it is, undefined
 * for a wrong one. Throws TooManyAttempts during a lockout, in which no code is checked.
 */
export async function verifyCode(deps: Deps, attempt: Attempt): Promise<CodeKind | undefined> {
  const { userId, address } = attempt
  const network = clientNetwork(address) ?? 'unknown'
  const lockouts: LockoutSubject[] = [
    { limit: PER_USER_AND_NETWORK, key: `${userId} ${network}` },
    { limit: PER_USER, key: userId },
  ]
  await countAttempt(deps, userId, lockouts)
  const kind = await spend(deps, { ...attempt, typed: attempt.typed.replace(/\s/g, '') })
  if (kind) for (const lockout of lockouts) await clearFailures(deps.db, lockout)
  return kind
}

/**
 * Counts the attempt as a failure before the code is checked, one attempt of a user at a time, so that
 * a burst of guesses cannot pass before the first one is counted.
 */
async function countAttempt(
  { db, now, security }: Deps,
  userId: string,
  lockouts: LockoutSubject[],
): Promise<void> {
  const wait = await inTransaction(db, async (tx) => {
    await lockRow(tx, 'users', userId)
    const delay = await findDelay(tx, lockouts, now())
    if (!delay) await countFailure(tx, lockouts, now())
    return delay
  })
  if (!wait) return
  security.record('code_delayed', { limit: wait.limit, user: userId })
  throw new TooManyAttempts(wait.waitMs)
}

async function spend(deps: Deps, attempt: Attempt): Promise<CodeKind | undefined> {
  const { db, now } = deps
  const { userId, typed: code } = attempt
  if (!TOTP_CODE.test(code)) {
    return (await useRecoveryCode(db, attempt, now())) ? 'RECOVERY_CODE' : undefined
  }
  const totp = await findTotp(db, userId, { confirmed: true })
  if (totp?.secret == null) return undefined
  const secret = readSecret(deps, totp.id, totp.secret)
  if (secret === undefined) return undefined
  const step = verifyTotp(secret, code, { spent: totp.counter, now: now() })
  if (step === undefined) return undefined
  const at = { counter: step, now: formatInstant(now()) }
  return (await raiseCounter(db, totp.id, at)) ? 'TOTP' : undefined
}

/** Without the key that encrypted it, a passkey and the recovery codes still work. */
function readSecret({ config, log }: Deps, id: string, stored: string): string | undefined {
  try {
    return decryptTotpSecret(config, id, stored)
  } catch (error) {
    log.error(
      { error: (error as Error).message },
      'the secret of an authenticator app is unreadable',
    )
    return undefined
  }
}
