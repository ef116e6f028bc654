import type { User } from '../db/rows.ts'
import type { Db } from '../db/tables.ts'
import type { KeyedDigest } from '../db/keyed-digest.ts'
import { networkOf, networksAround } from '../rate-limits/client-network.ts'
import {
  countFailure,
  findWait,
  clearFailures,
  type Guarded,
  hasFailed,
  type Lockout,
} from '../rate-limits/lockout.ts'
import { incrementCounter, findCounters } from '../rate-limits/counters.ts'
import type { SecurityEvents } from '../observe/security-events.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../auth/credential-rules.ts'
import { PasswordQueueFull, isRecentlyVerified, verifyPasswordHash } from '../auth/passwords.ts'
import { findUser } from './store.ts'

/** There were too many wrong passwords; nothing was tried. */
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
  /** The address at the other end of the connection. */
  address: string | undefined
}

interface Deps {
  db: Db
  now: () => number
  security: SecurityEvents
  keyedDigest: KeyedDigest
}

const MINUTE_MS = 60_000

/**
 * Guesses at one user from one network. Counting by user alone would let anybody lock a user out
 * from everywhere, by sending wrong passwords from anywhere.
 */
const PER_USER_AND_NETWORK: Lockout = {
  name: 'sign-in-user-and-network',
  free: 5,
  delayMaxMs: 15 * MINUTE_MS,
}
/** One password tried on many users from one network. */
const PER_NETWORK: Lockout = { name: 'sign-in-network', free: 20, delayMaxMs: 15 * MINUTE_MS }
/** Guesses at one user from everywhere: a short delay, for networks that have guessed wrong themselves. */
const PER_USER: Lockout = { name: 'sign-in-user', free: 50, delayMaxMs: MINUTE_MS }

/** How long a network in which a user had the password right stays known. */
const KNOWN_MS = 30 * 24 * 60 * MINUTE_MS

/** Passwords of one network that wait for each other; they are judged one by one. */
const IN_TURN_MAX = 100

/**
 * Returns the user whom e-mail and password belong to, or undefined when they belong to none, which
 * costs the same whether or not there is such a user. Throws TooManyTries after too many failures,
 * be the password right or wrong, and be there such a user or not; PasswordQueueFull when too many
 * passwords are waiting to be judged.
 *
 * In a network in which the user had the password right in the last 30 days only the failures of
 * this user from there count: what others do elsewhere, or to others, locks nobody out at home. The
 * failures from everywhere delay no first try from a network either, or an attack without end would
 * keep a user out of every new place.
 */
export async function verifyPassword(deps: Deps, given: SignInAttempt): Promise<User | undefined> {
  const folded = given.email.toLowerCase()
  const user = await findAbleUser(deps.db, folded)
  const { address } = given
  // Basic authentication sends the password with every call: those are not tries.
  if (user && isRecentlyVerified(user.password_hash, given.password, deps.now(), address))
    return user
  const network = networkOf(address)
  // By its digest: an e-mail that was tried may be anybody's, and of any length.
  const subject = { user: deps.keyedDigest(folded), network }
  // One by one, or a burst of guesses would all begin before the first has failed.
  try {
    return await oneAtATime(network ?? `user ${subject.user}`, () =>
      checkPassword(deps, { ...given, user, subject }),
    )
  } catch (error) {
    const fields = network === undefined ? {} : { network }
    if (error instanceof PasswordQueueFull) deps.security.record('password_queue_full', fields)
    throw error
  }
}

/** Whom failures are counted for. */
interface Subject {
  /** The keyed digest of an e-mail. */
  user: string
  network: string | undefined
}

async function checkPassword(
  deps: Deps,
  given: SignInAttempt & { user: User | undefined; subject: Subject },
): Promise<User | undefined> {
  const { user, subject, address } = given
  const isKnown = await isKnownNetwork(deps.db, subject, deps.now())
  const guarded = isKnown ? [atHome(subject)] : await guardedNow(deps, subject)
  const wait = await findWait(deps.db, guarded, deps.now())
  if (wait) {
    const from = subject.network === undefined ? {} : { network: subject.network }
    const who = user ? { user: user.id } : {}
    deps.security.record('password_delayed', { limit: wait.limit, ...from, ...who })
    throw new TooManyAttempts(wait.waitMs)
  }
  // A longer one is nobody's, and would only cost its hash.
  const password = given.password.slice(0, PASSWORD_LENGTH_MAX)
  const right = await verifyPasswordHash(user?.password_hash, password, deps.now(), address)
  if (user && right && password === given.password) {
    await clearFailures(deps.db, atHome(subject))
    await rememberNetwork(deps.db, subject, deps.now())
    return user
  }
  await countFailure(deps.db, guardedBy(subject), deps.now())
  return undefined
}

async function findAbleUser(db: Db, email: string): Promise<User | undefined> {
  if (email.length > EMAIL_LENGTH_MAX || email.includes('\0')) return undefined
  const user = await findUser(db, email)
  return user?.disabled === null ? user : undefined
}

/** What a try from a network where the user is not known has to wait for. */
async function guardedNow({ db, now }: Deps, subject: Subject): Promise<Guarded[]> {
  const guarded = guardedBy(subject)
  const hasFailedHere = await hasFailed(db, atHome(subject), now())
  return hasFailedHere ? guarded : guarded.filter(({ lockOut }) => lockOut !== PER_USER)
}

function guardedBy({ user, network }: Subject): Guarded[] {
  const everywhere = { lockOut: PER_USER, key: user }
  if (network === undefined) return [everywhere, atHome({ user, network })]
  const around = networksAround(network).flatMap(({ network: key, share }) => [
    { lockOut: widened(PER_USER_AND_NETWORK, share), key: `${user} ${key}` },
    { lockOut: widened(PER_NETWORK, share), key },
  ])
  return [everywhere, ...around]
}

/** The user in this very network. */
function atHome({ user, network }: Subject): Guarded {
  return { lockOut: PER_USER_AND_NETWORK, key: `${user} ${network ?? 'unknown'}` }
}

function widened(lockOut: Lockout, share: number): Lockout {
  return { ...lockOut, free: lockOut.free * share }
}

/** The counter that is there as long as a user is known in a network. */
function knownIn({ user, network }: Subject) {
  return { name: 'sign-in-known-network', key: `${user} ${network}` }
}

async function isKnownNetwork(db: Db, subject: Subject, now: number): Promise<boolean> {
  if (subject.network === undefined) return false
  return (await findCounters(db, [knownIn(subject)], { now })).length > 0
}

async function rememberNetwork(db: Db, subject: Subject, now: number): Promise<void> {
  if (subject.network === undefined) return
  await incrementCounter(db, knownIn(subject), { window: '', now, expires: now + KNOWN_MS })
}

/** The last that was begun for each key, and how many have not ended. */
const turns = new Map<string, { last: Promise<unknown>; open: number }>()

async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(key) ?? { last: Promise.resolve(), open: 0 }
  if (turn.open > IN_TURN_MAX) throw new PasswordQueueFull()
  const mine = turn.last.then(work, work)
  Object.assign(turn, { last: mine, open: turn.open + 1 })
  turns.set(key, turn)
  try {
    return await mine
  } finally {
    turn.open -= 1
    if (turn.open === 0) turns.delete(key)
  }
}
