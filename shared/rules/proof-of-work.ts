/**
 * Proof of work for a submit during a card testing attack. The page searches for a number whose
 * hash starts with enough zero bits. The hash includes the session and the attempt, so each attempt
 * requires its own search and nothing can be precomputed.
 */

/** The header of a 429 response with the number of zero bits. */
export const WORK_HEADER = 'Checkstand-Work'

/** Returns the text that is hashed with SHA-256 as UTF-8. */
export function workText(checkoutId: string, attemptKey: string, proof: string): string {
  return `${checkoutId}.${attemptKey}.${proof}`
}

/** Returns the number of leading zero bits of a hash. */
export function zeroBits(hash: Uint8Array): number {
  const at = hash.findIndex((byte) => byte !== 0)
  return at < 0 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] as number) - 24
}
