import type { SubmitAnswer, SubmitRequest } from '../../shared/page-model.ts'
import { WORK_HEADER, workText, zeroBits } from '../../shared/rules/work.ts'
import type { ApiResult } from './api.ts'

/** Longer than this nobody is kept waiting in front of a busy button. */
const WAIT_SECONDS_MAX = 10
/** Hashes that the browser is asked for at once; one by one, the asking costs more than the hash. */
const AT_ONCE = 128

export interface Coming {
  checkoutId: string
  pause: (ms: number) => Promise<void>
}

/**
 * A server that asks to come again in a moment is obeyed without a word to the payer: it was only
 * too soon, or the merchant is under attack and every browser has to do some work (safety row 14).
 * Answers the request to send then, after the pause that was asked for; undefined where the server
 * asked for nothing, or for more than a payer should wait for.
 */
export async function retryRequest(
  answer: ApiResult<SubmitAnswer>,
  body: SubmitRequest,
  { checkoutId, pause }: Coming,
): Promise<SubmitRequest | undefined> {
  if (answer.kind !== 'REFUSED' || answer.status !== 429) return undefined
  const seconds = Number(answer.headers.get('Retry-After'))
  const bits = Number(answer.headers.get(WORK_HEADER))
  // A test shop that is opened by plain http from another machine cannot hash.
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
  for (let next = 0; ; next += AT_ONCE) {
    const proofs = Array.from({ length: AT_ONCE }, (_, i) => String(next + i))
    const good = await Promise.all(proofs.map(isProof))
    const found = proofs[good.indexOf(true)]
    if (found !== undefined) return found
  }
}
