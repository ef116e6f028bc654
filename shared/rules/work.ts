/**
 * Proof of work for a submit while a merchant is under attack (safety row 14). The page looks for a
 * number that makes a hash begin with so many zero bits. The hash is over the session and the
 * attempt, so that each attempt costs its own search and nothing can be worked out beforehand.
 */

/** The header of a 429 answer that asks for work: how many bits must be zero. */
export const WORK_HEADER = 'Checkstand-Work'

/** What is hashed with SHA-256, as UTF-8. */
export function workText(checkoutId: string, attemptKey: string, proof: string): string {
  return `${checkoutId}.${attemptKey}.${proof}`
}

/** How many bits at the beginning of a hash are zero. */
export function zeroBits(hash: Uint8Array): number {
  const at = hash.findIndex((byte) => byte !== 0)
  return at < 0 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] as number) - 24
}
