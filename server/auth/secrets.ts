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
