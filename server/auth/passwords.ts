import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createCache } from '../cache.ts'
import { ApiError } from '../errors.ts'
import { MEMORY_KIB, PASSES } from './password-cost.ts'

// Passwords are stored as argon2id hashes. Basic authentication sends the password with every request,
// so a success is cached for a minute after its last use, per client address: from another address, a
// right guess must look wrong during a lockout. Concurrent hashes and their queue are limited, so that
// a flood of wrong passwords cannot take the CPU from payments.

const derive = promisify(argon2)
const CONCURRENT_HASHES_MAX = 2
/** A few seconds of work on a slow machine. */
const QUEUED_HASHES_MAX = 100
const VERIFIED_MS = 60_000
const VERIFIED_MAX = 1000

/** Too many hashes are queued; the password was not checked. 503 with `Retry-After`. */
export class PasswordQueueFull extends ApiError {
  constructor() {
    super('UNAVAILABLE', 'Too many passwords are being checked; try again in a moment', {
      headers: { 'Retry-After': '2' },
    })
  }
}

/** Returns an argon2id hash in the PHC string format, with a new salt. Throws PasswordQueueFull. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await computeTag(password, { salt, memory: MEMORY_KIB, passes: PASSES })
  const encoded = [salt, tag].map((part) => part.toString('base64').replaceAll('=', '')).join('$')
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${encoded}`
}

interface Parameters {
  salt: Buffer
  /** KiB. */
  memory: number
  passes: number
}

function computeTag(password: string, { salt, memory, passes }: Parameters): Promise<Buffer> {
  return bounded(() =>
    derive('argon2id', {
      message: password,
      nonce: salt,
      parallelism: 1,
      tagLength: 32,
      memory,
      passes,
    }),
  )
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/

/** Reads a stored hash, so that one with an earlier cost stays valid. */
function parseHash(stored: string): Parameters & { tag: Buffer } {
  const [, memory, passes, salt = '', tag = ''] = PHC.exec(stored) ?? []
  return {
    salt: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    tag: Buffer.from(tag, 'base64'),
  }
}

// Verifying a password takes the same time for an unknown user.
let dummyHash: Promise<string> | undefined
function getDummyHash(): Promise<string> {
  dummyHash ??= hashPassword(randomBytes(16).toString('hex'))
  // Drops an attempt that found the queue full.
  dummyHash.catch(() => {
    dummyHash = undefined
  })
  return dummyHash
}

const processKey = randomBytes(32)
/** When a verified password is forgotten, in epoch milliseconds. */
const verified = createCache<number>(VERIFIED_MAX)

/**
 * Returns whether this password from this address was verified, or this function returned true for it,
 * within the last minute. No hash is computed. `now` is epoch milliseconds.
 */
export function isRecentlyVerified(
  stored: string | undefined,
  password: string,
  now: number,
  address = '',
): boolean {
  const key = cacheKey(stored, password, address)
  const isVerified = (verified.get(key) ?? 0) > now
  if (isVerified) verified.set(key, now + VERIFIED_MS)
  return isVerified
}

function cacheKey(stored: string | undefined, password: string, address: string): string {
  return createHmac('sha256', processKey)
    .update(`${stored ?? ''}\0${address}\0${password}`)
    .digest('hex')
}

/**
 * Verifies a password against its stored hash, which is undefined for an unknown user, and caches a
 * success for the address. `now` is epoch milliseconds. Throws PasswordQueueFull.
 */
export async function verifyPasswordHash(
  stored: string | undefined,
  password: string,
  now: number,
  address = '',
): Promise<boolean> {
  if (isRecentlyVerified(stored, password, now, address)) return true
  const { tag, ...parameters } = parseHash(stored ?? (await getDummyHash()))
  const matches =
    timingSafeEqual(tag, await computeTag(password, parameters)) && stored !== undefined
  if (matches) verified.set(cacheKey(stored, password, address), now + VERIFIED_MS)
  return matches
}

let running = 0
const queue: (() => void)[] = []

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (queue.length >= QUEUED_HASHES_MAX) throw new PasswordQueueFull()
  if (running >= CONCURRENT_HASHES_MAX) await new Promise<void>((resolve) => queue.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }
}
