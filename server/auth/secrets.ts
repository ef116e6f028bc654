import { createHash, randomBytes } from 'node:crypto'

/** Secrets that we issue: high entropy, shown once, kept only as a hash. */

/** SHA-256 as hex. Enough for secrets of 256 random bits, which no dictionary holds. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** 32 random bytes as base64url behind a prefix that secret scanners can look for. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** Visible ASCII without a colon, which ends the user name in Basic credentials. */
const SECRET_KEY = /^sk_(test|live)_(?<random>[\x21-\x39\x3b-\x7e]{32,})$/
/** 32 random hexadecimal digits have fewer different ones once in ten million. */
const DIFFERENT_MIN = 8

/** The rule for a secret key that was chosen outside, in words for a person. */
export const SECRET_KEY_RULE =
  'must be sk_test_ or sk_live_ and then at least 32 random visible characters without a colon, ' +
  'such as the output of: openssl rand -hex 32'

/**
 * Returns whether a text could be a secret key that cannot be guessed. Secret keys are kept as a
 * fast hash and may be tried without end, so their entropy is all that protects them.
 */
export function isStrongSecretKey(text: string): boolean {
  const random = SECRET_KEY.exec(text)?.groups?.['random']
  return random !== undefined && new Set(random).size >= DIFFERENT_MIN
}
