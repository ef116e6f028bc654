import type { Db } from '../db/tables.ts'
import { findUser } from '../instances/store.ts'
import type { User } from '../instances/store.ts'
import type { KeyedDigest } from '../keyed-digest.ts'
import { networkOf } from '../limits/address.ts'
import { countFailure, forgetFailures, waitBefore } from '../limits/failures.ts'
import type { Subject } from '../limits/store.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from './choose.ts'
import { isRemembered, passwordMatches } from './passwords.ts'

/** There were too many wrong passwords; nothing was tried. */
export class TooManyTries extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('too many wrong passwords')
    this.waitMs = waitMs
  }
}

export interface Given {
  email: string
  password: string
  /** The address at the other end of the connection. */
  address: string | undefined
}

/**
 * The user whom e-mail and password belong to; undefined when they do not, which costs the same
 * whether or not there is such a user. Throws TooManyTries after too many failures of this e-mail
 * or from this address, be the password right or wrong, and be there such a user or not
 * (safety rows 19 and 20).
 */
export async function tryPassword(
  deps: { db: Db; now: () => number; keyedDigest: KeyedDigest },
  given: Given,
): Promise<User | undefined> {
  const folded = given.email.toLowerCase()
  const user = await findAbleUser(deps.db, folded)
  const { address } = given
  // Basic authentication sends the password with every call: those are not tries.
  if (user && isRemembered(user.password_hash, given.password, deps.now(), address)) return user
  const judge = async () => {
    // An e-mail that somebody tried may be anything, and of any length: it is kept as its digest.
    const ofUser: Subject = { name: 'sign-in-user', key: deps.keyedDigest(folded) }
    const subjects = [ofUser, ...subjectOf(address)]
    const waitMs = await waitBefore(deps.db, subjects, deps.now())
    if (waitMs > 0) throw new TooManyTries(waitMs)
    // A longer one is nobody's, and would only cost its hash.
    const password = given.password.slice(0, PASSWORD_LENGTH_MAX)
    const right = await passwordMatches(user?.password_hash, password, deps.now(), address)
    if (user && right && password === given.password) {
      await forgetFailures(deps.db, ofUser)
      return user
    }
    await countFailure(deps.db, subjects, deps.now())
    return undefined
  }
  // One by one for an address and for a user, or a burst of guesses would all begin before the
  // first has failed.
  const network = networkOf(address)
  const inTurn = () => oneAtATime(`user ${folded}`, judge)
  return network === undefined ? inTurn() : oneAtATime(`network ${network}`, inTurn)
}

async function findAbleUser(db: Db, email: string): Promise<User | undefined> {
  if (email.length > EMAIL_LENGTH_MAX || email.includes('\0')) return undefined
  const user = await findUser(db, email)
  return user?.disabled === null ? user : undefined
}

function subjectOf(address: string | undefined): Subject[] {
  const network = networkOf(address)
  return network ? [{ name: 'sign-in-address', key: network }] : []
}

const turns = new Map<string, Promise<unknown>>()

async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  turns.set(key, mine)
  try {
    return await mine
  } finally {
    if (turns.get(key) === mine) turns.delete(key)
  }
}
