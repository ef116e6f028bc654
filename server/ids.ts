import { randomBytes } from 'node:crypto'

/**
 * New ids. They start with the time, so that rows created together are close in their index, and
 * end in unbiased random characters.
 */

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export type IdPrefix =
  | 'acc'
  | 'at'
  | 'aud'
  | 'ca'
  | 'cc'
  | 'cg'
  | 'ck'
  | 'co'
  | 'dlv'
  | 'ds'
  | 'evt'
  | 'ic'
  | 'ins'
  | 'inv'
  | 'key'
  | 'le'
  | 'ler'
  | 'mer'
  | 'ml'
  | 'oc'
  | 'og'
  | 'pay'
  | 'pm'
  | 'pr'
  | 'ref'
  | 'rv'
  | 'ses'
  | 'sr'
  | 'st'
  | 'tr'
  | 'uf'
  | 'usr'
  | 'uss'
  | 'vo'
  | 'vw'
  | 'wh'

/** Returns `acc_<unix ms>_<16 base36>`. `now` is epoch milliseconds. */
export function newId(prefix: IdPrefix, now: number): string {
  return `${prefix}_${now}_${randomText(BASE36, 16)}`
}

/**
 * Returns `pl_<base36 ms>_<24 base62>`. The URL of a link is a bearer capability, so its tail has
 * 142 random bits.
 */
export function newPaymentLinkId(now: number): string {
  return newLinkId('pl', now)
}

/** Returns `dl_<base36 ms>_<24 base62>`, for the same reason. */
export function newDeepLinkId(now: number): string {
  return newLinkId('dl', now)
}

function newLinkId(prefix: 'pl' | 'dl', now: number): string {
  return `${prefix}_${now.toString(36)}_${randomText(BASE62, 24)}`
}

// Without 0, O, 1, I and L, because payers read it aloud on the telephone.
const READABLE = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** Returns a customer-facing reference such as `7KQM-4X9T-PWRD`. */
export function newReference(): string {
  const text = randomText(READABLE, 12)
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

/** Returns random characters by rejection sampling, because a modulo would be biased. */
function randomText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < limit) text += alphabet[byte % alphabet.length]
  }
  return text
}

/** Returns random bytes as base64url: a secret has 32. `bytes` is at most 4096. */
export function randomBase64url(bytes: number): string {
  const from = takeRandom(bytes)
  return pool.toString('base64url', from, from + bytes)
}

const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

function randomByte(): number {
  const from = takeRandom(1)
  return pool.readUInt8(from)
}

/**
 * Returns where in `pool`, which it may replace, random bytes begin that were never used. Buffered, because a
 * system call costs the same for one byte as for thousands.
 */
function takeRandom(bytes: number): number {
  if (used + bytes > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  used += bytes
  return used - bytes
}
