import { createHash } from 'node:crypto'
import { randomBase64url } from '../ids.ts'

/** SHA-256 as hex. A fast hash is sufficient for secrets of 256 random bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Returns 32 random bytes as base64url, after a prefix that secret scanners can find. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBase64url(32)}`
}
