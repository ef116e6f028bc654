import { describe, expect, it } from 'vitest'
import type { SubmitResponse, SubmitRequest } from '../../shared/page-model.ts'
import { WORK_HEADER, workText, zeroBits } from '../../shared/rules/proof-of-work.ts'
import type { ApiResult } from './api.ts'
import { retryRequest } from './retry-after.ts'

const BODY: SubmitRequest = {
  attempt_key: 'key-1',
  options_v: 1,
  payment_method: { type: 'CARD', processor: 'sandbox', token: 'tok_1' },
}

function refused(headers: Record<string, string>, status = 429): ApiResult<SubmitResponse> {
  return { kind: 'REFUSED', status, message: '', headers: new Headers(headers) }
}

/** Returns the retry request for a response, and the pause before it. */
async function after(answer: ApiResult<SubmitResponse>, body = BODY) {
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  return { next: await retryRequest(answer, body, { checkoutId: 'ck_1_a', pause }), pauses }
}

describe('a 429 response', () => {
  it('is followed by the same request after Retry-After', async () => {
    expect(await after(refused({ 'Retry-After': '3' }))).toEqual({ next: BODY, pauses: [3000] })
  })

  it('is followed by a proof of work for this attempt and session', async () => {
    const { next, pauses } = await after(refused({ 'Retry-After': '1', [WORK_HEADER]: '9' }))
    expect(pauses).toEqual([1000])
    expect(next).toEqual({ ...BODY, proof: expect.stringMatching(/^\d+$/) })
    const text = new TextEncoder().encode(workText('ck_1_a', 'key-1', next?.proof ?? ''))
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
    expect(zeroBits(hash)).toBeGreaterThanOrEqual(9)
  })

  it('that demands no new work is followed by the earlier proof', async () => {
    const proven = { ...BODY, proof: '7' }
    expect((await after(refused({ 'Retry-After': '1' }), proven)).next).toEqual(proven)
  })

  it.each([
    ['much later', refused({ 'Retry-After': '11' })],
    ['at no time', refused({})],
    ['at no time that can be read', refused({ 'Retry-After': 'Tue, 01 May 2030 12:00:00 GMT' })],
    ['though it refused for another reason', refused({ 'Retry-After': '1' }, 400)],
    ['though it has answered', { kind: 'OK', value: { outcome: 'DECLINED' } } as const],
    ['whose response was lost', { kind: 'UNREACHABLE' } as const],
  ])('%s is not obeyed', async (_what, answer) => {
    expect(await after(answer)).toEqual({ next: undefined, pauses: [] })
  })
})
