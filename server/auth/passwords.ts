import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../errors.ts'

/**
 * Passwords of users, as argon2id hashes.
 *
 * Basic authentication sends the password with every request, so a success is remembered until a
 * minute after it was last used, under a key that only this process knows, and for the address that
 * it came from: to everybody else a right guess must look like a wrong one for as long as a user is
 * locked out. Hashing is bounded so that a flood of wrong passwords cannot take the processor from
 * the payers, and so is the queue for it.
 */

const derive = promisify(argon2)
const MEMORY_KIB = 19 * 1024
const PASSES = 2
const HASHES_AT_ONCE_MAX = 2
/** What two at once take some seconds for, even on a slow machine. */
const HASHES_WAITING_MAX = 100
const REMEMBER_MS = 60_000
const REMEMBERED_MAX = 1000

/** Too many passwords wait to be judged; nothing was done with this one. 503 with `Retry-After`. */
export class PasswordQueueFull extends ApiError {
  constructor() {
    super('UNAVAILABLE', 'Too many passwords are being checked; try again in a moment', {
      headers: { 'Retry-After': '2' },
    })
  }
}

/**
 * The PHC text of an argon2id hash of the password, with a fresh salt. Throws PasswordQueueFull when
 * too many are waiting.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await bounded(() => tagOf(password, salt))
  const encoded = [salt, tag].map((part) => part.toString('base64').replaceAll('=', '')).join('$')
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${encoded}`
}

function tagOf(password: string, nonce: Buffer): Promise<Buffer> {
  return derive('argon2id', {
    message: password,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: MEMORY_KIB,
    passes: PASSES,
  })
}

// A user that does not exist costs the same time as one that does.
let nobody: Promise<string> | undefined
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(randomBytes(16).toString('hex'))
  // One that found the queue full must not stay.
  nobody.catch(() => {
    nobody = undefined
  })
  return nobody
}

const processKey = randomBytes(32)
const remembered = new Map<string, number>()

/**
 * Whether this very password from this address was found right, or asked for here, within the last
 * minute, which costs no hash. The minute begins anew, so an integration at work is never asked to
 * prove itself in the middle of an attack. `now` is epoch milliseconds.
 */
export function isRecentlyVerified(
  stored: string | undefined,
  password: string,
  now: number,
  address = '',
): boolean {
  const key = rememberedAs(stored, password, address)
  const isKnown = (remembered.get(key) ?? 0) > now
  if (isKnown) remember(key, now)
  return isKnown
}

/** The one that was used least recently makes room. */
function remember(key: string, now: number): void {
  remembered.delete(key)
  remembered.set(key, now + REMEMBER_MS)
  if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value as string)
}

function rememberedAs(stored: string | undefined, password: string, address: string): string {
  return createHmac('sha256', processKey)
    .update(`${stored ?? ''}\0${address}\0${password}`)
    .digest('hex')
}

/**
 * Whether the password belongs to the stored hash; undefined stands for an unknown user. `now` is
 * epoch milliseconds. A success is remembered for the address, as text. Throws PasswordQueueFull
 * when too many are waiting.
 */
export async function verifyPasswordHash(
  stored: string | undefined,
  password: string,
  now: number,
  address = '',
): Promise<boolean> {
  if (isRecentlyVerified(stored, password, now, address)) return true
  const [salt, tag] = (stored ?? (await hashOfNobody())).split('$').slice(4)
  const expected = Buffer.from(tag ?? '', 'base64')
  const actual = await bounded(() => tagOf(password, Buffer.from(salt ?? '', 'base64')))
  const matches = timingSafeEqual(expected, actual) && stored !== undefined
  if (matches) remember(rememberedAs(stored, password, address), now)
  return matches
}

let running = 0
const waiting: (() => void)[] = []

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= HASHES_WAITING_MAX) throw new PasswordQueueFull()
  if (running >= HASHES_AT_ONCE_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
