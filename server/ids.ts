import { randomBytes } from 'node:crypto'

/**
 * New ids. They begin with the time, so that rows that are made together lie together in their
 * index, and end in random characters drawn without bias (contract section 1).
 */

const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export type IdPrefix =
  | 'acc'
  | 'at'
  | 'ca'
  | 'cg'
  | 'ck'
  | 'co'
  | 'dlv'
  | 'evt'
  | 'ins'
  | 'mer'
  | 'oc'
  | 'og'
  | 'pay'
  | 'pm'
  | 'ref'
  | 'rv'
  | 'ses'
  | 'tr'
  | 'usr'
  | 'vo'
  | 'wh'

/** `acc_<unix ms>_<16 base36>` and its kin. `now` is epoch milliseconds. */
export function newId(prefix: IdPrefix, now: number): string {
  return `${prefix}_${now}_${randomText(BASE36, 16)}`
}

/**
 * `pl_<base36 ms>_<24 base62>`. The address of a link is a bearer capability, so its tail carries
 * 142 random bits.
 */
export function newPaymentLinkId(now: number): string {
  return `pl_${now.toString(36)}_${randomText(BASE62, 24)}`
}

// No 0, O, 1, I or L: a payer reads this aloud on the telephone.
const READABLE = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** The customer-facing reference of a payment, such as `7KQM-4X9T-PWRD`. */
export function newReference(): string {
  const text = randomText(READABLE, 12)
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

/** Random characters by rejection: taking bytes modulo the alphabet would favour its beginning. */
function randomText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < limit) text += alphabet[byte % alphabet.length]
  }
  return text
}

const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

/** Taken from a stock, because asking the system costs the same for one byte as for thousands. */
function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  const byte = pool.readUInt8(used)
  used += 1
  return byte
}
