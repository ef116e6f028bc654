import { describe, expect, it } from 'vitest'
import { OWED_MODELS } from '../scenes/owed-models.ts'
import { CARD, outcome, ready, refusal, settled } from './testing.ts'

const TRIAL = OWED_MODELS['form-trial']

describe('a payment', () => {
  it('shows the receipt of a completed payment from the session', async () => {
    const test = await ready()
    await test.pay(outcome('COMPLETED'), test.shows())
    expect(test.checkout.screen.value.kind).toBe('receipt')
    expect(test.checkout.checkout.value.result?.reference).toBe('K7QX-4M2P')
    expect(test.navigations).toEqual([])
  })

  it('sends the terms that the payer saw, with the bearer token of the session', async () => {
    const test = await ready()
    await test.pay(outcome('DECLINED'))
    expect(test.submits()[0]).toEqual({
      path: '/pay/checkouts/current/submit',
      query: new URLSearchParams(),
      authorization: 'Bearer ckt_1',
      body: { attempt_key: 'key-1', milliseconds_since: {}, options_v: 1, ...CARD },
    })
  })

  it('redirects through the return URL when the link skips the receipt', async () => {
    const test = await ready()
    const return_url = 'https://pay.example/pay/checkouts/h/return'
    await test.pay(outcome('COMPLETED', { redirect: 'https://shop.example/ok', return_url }))
    expect(test.navigations).toEqual([return_url])
    expect(test.checkout.screen.value).toMatchObject({
      kind: 'redirecting',
      redirect: { to: 'MERCHANT' },
    })
  })

  it('shows the outcome when the receipt cannot be fetched, and fetches it later', async () => {
    const test = await ready()
    await test.pay(outcome('COMPLETED'), 'LOST')
    expect(test.checkout.checkout.value.result?.outcome).toBe('COMPLETED')
    test.replies.current.push(test.shows())
    await test.pass(1_000)
    expect(test.checkout.checkout.value.result?.reference).toBe('K7QX-4M2P')
  })

  it('completes for a free trial, which has no reference, without asking again', async () => {
    const test = await ready(TRIAL)
    await test.pay(outcome('COMPLETED'), test.shows({ reference: null, amount: '0.00' }))
    expect(test.checkout.completed.value?.outcome).toBe('COMPLETED')
    const asked = test.requests.length
    await test.pass(60_000)
    expect(test.requests).toHaveLength(asked)
  })

  it('never shows the price of a free trial as taken, also when the receipt cannot be fetched', async () => {
    const test = await ready(TRIAL)
    await test.pay(outcome('COMPLETED'), 'LOST')
    expect(test.checkout.screen.value.kind).toBe('receipt')
    expect(test.checkout.checkout.value.result?.amount).toBe('0')
  })

  it('submits once for a double click', async () => {
    const test = await ready()
    await test.press('NEVER')
    await test.press()
    expect(test.submits()).toHaveLength(1)
  })

  it('redirects to http and https URLs only', async () => {
    const test = await ready()
    await test.pay(outcome('ACTION', { action: { type: 'REDIRECT', url: 'javascript:alert(1)' } }))
    expect(test.navigations).toEqual([])
  })

  it('redirects to the bank for a challenge', async () => {
    const test = await ready()
    const url = 'https://bank.example/confirm'
    await test.pay(outcome('ACTION', { action: { type: 'REDIRECT', url } }))
    expect(test.navigations).toEqual([url])
    expect(test.checkout.step.value).toMatchObject({ url, to: 'BANK' })
  })
})

describe('a decline', () => {
  it('keeps the form, shows the reason and clears the security code', async () => {
    const test = await ready()
    await test.pay(outcome('DECLINED', { message_id: 'errors.insufficient_funds' }))
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value).toEqual({
      tone: 'problem',
      id: 'errors.insufficient_funds',
    })
    expect(test.checkout.cvcResets.value).toBe(1)
  })

  it('shows a general reason for an unknown message id', async () => {
    const test = await ready()
    await test.pay(outcome('DECLINED', { message_id: 'errors.of_tomorrow' }))
    expect(test.checkout.notice.value?.id).toBe('errors.declined')
  })

  it('gives the next attempt a new key', async () => {
    const test = await ready()
    test.replies.submit.push(outcome('DECLINED'), outcome('DECLINED'))
    await test.pay()
    await test.pay()
    const keys = test.submits().map(({ body }) => body?.['attempt_key'])
    expect(keys).toEqual(['key-1', 'key-2'])
  })
})

describe('a lost response', () => {
  it('repeats the identical request and shows its outcome', async () => {
    const test = await ready()
    test.replies.submit.push('LOST', 'LOST', outcome('COMPLETED'))
    await test.press()
    expect(test.checkout.step.value).toBe('unconfirmed')
    test.replies.current.push('LOST', test.shows())
    await test.pass(5_000)
    const bodies = test.submits().map(({ body }) => JSON.stringify(body))
    expect(bodies).toHaveLength(3)
    expect(new Set(bodies).size).toBe(1)
    expect(test.checkout.step.value).toBe('result')
  })

  it.each([500, 502, 503, 504, 408, 409])('is assumed for the status %i', async (status) => {
    const test = await ready()
    await test.press(refusal(status))
    expect(test.checkout.step.value).toBe('unconfirmed')
  })

  it('is assumed after a timeout', async () => {
    const test = await ready()
    await test.press('NEVER')
    expect(test.checkout.step.value).toBe('submitting')
    await test.pass(45_000)
    expect(test.checkout.step.value).toBe('unconfirmed')
  })

  it('blocks another payment until it is resolved', async () => {
    const test = await ready()
    test.replies.submit.push('LOST', 'NEVER')
    await test.press()
    await test.press()
    expect(test.submits()).toHaveLength(1)
  })

  it('is resolved by the session when repeated submits fail', async () => {
    const test = await ready()
    await test.press('LOST', test.shows())
    await test.pass(1_000)
    expect(test.checkout.checkout.value.result?.outcome).toBe('COMPLETED')
  })

  it('is not resolved by an older decline of the session', async () => {
    const test = await ready()
    await test.press('LOST', test.shows({ outcome: 'DECLINED' }))
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('unconfirmed')
  })

  it('is resolved at once when the connection is back', async () => {
    const test = await ready()
    await test.press('LOST')
    test.checkout.checkNow()
    await settled()
    expect(test.submits()).toHaveLength(2)
  })
})
