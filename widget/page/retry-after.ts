import type { SubmitResponse, SubmitRequest } from '../../shared/page-model.ts'
import { WORK_HEADER, workText, zeroBits } from '../../shared/rules/proof-of-work.ts'
import type { ApiResult } from './api.ts'

/** The longest wait that is not shown to the payer. */
const WAIT_SECONDS_MAX = 10
/** Awaiting each hash by itself would cost more than the hash. */
const HASHES_AT_ONCE = 128

/**
 * Waits as long as a 429 response asks for and returns the request to send then, with a proof of
 * work where the response demands one. Returns undefined when the response asks for no retry, or for
 * a longer wait than `WAIT_SECONDS_MAX`.
 */
export async function retryRequest(
  response: ApiResult<SubmitResponse>,
  body: SubmitRequest,
  { checkoutId, pause }: { checkoutId: string; pause: (ms: number) => Promise<void> },
): Promise<SubmitRequest | undefined> {
  if (response.kind !== 'REFUSED' || response.status !== 429) return undefined
  const seconds = Number(response.headers.get('Retry-After'))
  const bits = Number(response.headers.get(WORK_HEADER))
  // Browsers offer no hashing to a page that is loaded over http from another machine.
  const canWork = bits === 0 || globalThis.crypto.subtle !== undefined
  if (!(seconds >= 1 && seconds <= WAIT_SECONDS_MAX && canWork)) return undefined
  const prefix = (proof: string) => workText(checkoutId, body.attempt_key, proof)
  const [proof] = await Promise.all([
    bits > 0 ? findProof(prefix, bits) : body.proof,
    pause(seconds * 1000),
  ])
  return proof === undefined ? body : { ...body, proof }
}

async function findProof(text: (proof: string) => string, bits: number): Promise<string> {
  const utf8 = new TextEncoder()
  const isProof = async (proof: string) => {
    const hash = await crypto.subtle.digest('SHA-256', utf8.encode(text(proof)))
    return zeroBits(new Uint8Array(hash)) >= bits
  }
  for (let next = 0; ; next += HASHES_AT_ONCE) {
    const proofs = Array.from({ length: HASHES_AT_ONCE }, (_, i) => String(next + i))
    const valid = await Promise.all(proofs.map(isProof))
    const found = proofs[valid.indexOf(true)]
    if (found !== undefined) return found
  }
}
