import type { User } from '../db/tables/users.ts'
import type { Db } from '../db/tables.ts'
import type { KeyedDigest } from '../db/keyed-digest.ts'
import { clientNetwork, surroundingNetworks } from '../rate-limits/client-network.ts'
import {
  countFailure,
  findDelay,
  clearFailures,
  type LockoutSubject,
  hasFailed,
  type Lockout,
} from '../rate-limits/lockout.ts'
import { incrementCounter, findCounters } from '../rate-limits/counters.ts'
import type { SecurityEvents } from '../observe/security-events.ts'
import { PASSWORD_LENGTH_MAX } from '../auth/credential-rules.ts'
import { PasswordQueueFull, isRecentlyVerified, verifyPasswordHash } from '../auth/passwords.ts'
import { findActiveUser } from './store.ts'

/** A lockout applies; the password was not checked. */
export class TooManyAttempts extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('too many wrong passwords')
    this.waitMs = waitMs
  }
}

export interface SignInAttempt {
  email: string
  password: string
  /** The client's IP address. */
  address: string | undefined
}

interface Deps {
  db: Db
  now: () => number
  security: SecurityEvents
  keyedDigest: KeyedDigest
}

const MINUTE_MS = 60_000

/** Includes the network, because a counter by user alone would let attackers lock users out. */
const PER_USER_AND_NETWORK: Lockout = {
  name: 'sign-in-user-and-network',
  freeFailures: 5,
  delayMaxMs: 15 * MINUTE_MS,
}
/** Against one password for many users. */
const PER_NETWORK: Lockout = {
  name: 'sign-in-network',
  freeFailures: 20,
  delayMaxMs: 15 * MINUTE_MS,
}
/** Against distributed guessing. A short delay, for networks with a failure of their own. */
const PER_USER: Lockout = { name: 'sign-in-user', freeFailures: 50, delayMaxMs: MINUTE_MS }

/** How long a network stays known after a user signed in from it. */
const KNOWN_NETWORK_MS = 30 * 24 * 60 * MINUTE_MS

/** The queue limit of `oneAtATime` for each network. */
const QUEUE_MAX = 100

/**
 * Returns the user with this email and password, or undefined. Takes the same time for an unknown
 * user. Throws TooManyAttempts during a lockout, whether or not the password is right or the user
 * exists, and PasswordQueueFull when too many checks are queued.
 *
 * From a known network, which the user signed in from in the last 30 days, only this user's failures
 * from there count, so that an attack elsewhere cannot lock the user out. The limit for all networks
 * does not delay the first attempt from a network, so that it cannot keep a user out of new networks
 * (D72).
 */
export async function verifyPassword(
  deps: Deps,
  attempt: SignInAttempt,
): Promise<User | undefined> {
  const email = attempt.email.toLowerCase()
  const user = await findActiveUser(deps.db, email)
  const { address } = attempt
  // Basic authentication sends the password with every request; those are not attempts.
  if (user && isRecentlyVerified(user.password_hash, attempt.password, deps.now(), address))
    return user
  const network = clientNetwork(address)
  // The email is stored as a digest: it may belong to no user, and has any length.
  const subject = { user: deps.keyedDigest(email), network }
  // Otherwise a burst of guesses would pass before the first failure is counted.
  try {
    return await oneAtATime(network ?? `user ${subject.user}`, () =>
      checkPassword(deps, { ...attempt, user, subject }),
    )
  } catch (error) {
    const fields = network === undefined ? {} : { network }
    if (error instanceof PasswordQueueFull) deps.security.record('password_queue_full', fields)
    throw error
  }
}

interface Subject {
  /** The keyed digest of the email. */
  user: string
  network: string | undefined
}

async function checkPassword(
  deps: Deps,
  attempt: SignInAttempt & { user: User | undefined; subject: Subject },
): Promise<User | undefined> {
  const { user, subject, address } = attempt
  const isFromKnownNetwork = await isKnownNetwork(deps.db, subject, deps.now())
  const lockouts = isFromKnownNetwork
    ? [userAndNetworkLockout(subject)]
    : await activeLockouts(deps, subject)
  const wait = await findDelay(deps.db, lockouts, deps.now())
  if (wait) {
    const networkField = subject.network === undefined ? {} : { network: subject.network }
    const userField = user ? { user: user.id } : {}
    deps.security.record('password_delayed', { limit: wait.limit, ...networkField, ...userField })
    throw new TooManyAttempts(wait.waitMs)
  }
  // No user has a longer password; hashing all of it would waste time.
  const password = attempt.password.slice(0, PASSWORD_LENGTH_MAX)
  const matches = await verifyPasswordHash(user?.password_hash, password, deps.now(), address)
  if (user && matches && password === attempt.password) {
    await clearFailures(deps.db, userAndNetworkLockout(subject))
    await rememberNetwork(deps.db, subject, deps.now())
    return user
  }
  await countFailure(deps.db, allLockouts(subject), deps.now())
  return undefined
}

/** The lockouts that apply outside the user's known networks. */
async function activeLockouts({ db, now }: Deps, subject: Subject): Promise<LockoutSubject[]> {
  const lockouts = allLockouts(subject)
  const hasFailedHere = await hasFailed(db, userAndNetworkLockout(subject), now())
  return hasFailedHere ? lockouts : lockouts.filter(({ limit }) => limit !== PER_USER)
}

function allLockouts({ user, network }: Subject): LockoutSubject[] {
  const everywhere = { limit: PER_USER, key: user }
  if (network === undefined) return [everywhere, userAndNetworkLockout({ user, network })]
  const enclosing = surroundingNetworks(network).flatMap(({ network: key, factor }) => [
    { limit: scaleLockout(PER_USER_AND_NETWORK, factor), key: `${user} ${key}` },
    { limit: scaleLockout(PER_NETWORK, factor), key },
  ])
  return [everywhere, ...enclosing]
}

function userAndNetworkLockout({ user, network }: Subject): LockoutSubject {
  return { limit: PER_USER_AND_NETWORK, key: `${user} ${network ?? 'unknown'}` }
}

function scaleLockout(limit: Lockout, factor: number): Lockout {
  return { ...limit, freeFailures: limit.freeFailures * factor }
}

/** A counter that exists while the network is known for the user. */
function knownNetworkCounter({ user, network }: Subject) {
  return { name: 'sign-in-known-network', key: `${user} ${network}` }
}

async function isKnownNetwork(db: Db, subject: Subject, now: number): Promise<boolean> {
  if (subject.network === undefined) return false
  return (await findCounters(db, [knownNetworkCounter(subject)], { now })).length > 0
}

async function rememberNetwork(db: Db, subject: Subject, now: number): Promise<void> {
  if (subject.network === undefined) return
  await incrementCounter(db, knownNetworkCounter(subject), {
    window: '',
    now,
    expires: now + KNOWN_NETWORK_MS,
  })
}

/** The last queued call for each key, and the number of open ones. */
const queues = new Map<string, { last: Promise<unknown>; open: number }>()

async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(key) ?? { last: Promise.resolve(), open: 0 }
  if (queue.open > QUEUE_MAX) throw new PasswordQueueFull()
  const result = queue.last.then(work, work)
  Object.assign(queue, { last: result, open: queue.open + 1 })
  queues.set(key, queue)
  try {
    return await result
  } finally {
    queue.open -= 1
    if (queue.open === 0) queues.delete(key)
  }
}
