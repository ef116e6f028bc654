import { describe, expect, it } from 'vitest'
import { model, result } from '../gallery/models.ts'
import type { Submission } from './form-input.ts'
import { sessionOf, settled, setUp } from './testing.ts'

const CARD: Submission = {
  currency: 'EUR',
  payment_method: { type: 'CARD', processor: 'sandbox', token: 'tok_1' },
}
const withCard = () => Promise.resolve(CARD)

async function ready(start = model()) {
  const test = setUp(start)
  await test.checkout.start()
  await test.checkout.prepare()
  return test
}

async function pay(test: ReturnType<typeof setUp>) {
  const paid = test.checkout.pay(withCard)
  await test.pass(0)
  return paid
}

/** Starts a payment without awaiting it, for slow responses. */
async function press(test: ReturnType<typeof setUp>) {
  void test.checkout.pay(withCard)
  await test.pass(0)
}

describe('a payment', () => {
  it('shows the receipt of a completed payment from the session', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'COMPLETED' } })
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { status: 'COMPLETED', result: result() }) },
    })
    await pay(test)
    expect(test.checkout.screen.value.kind).toBe('receipt')
    expect(test.checkout.checkout.value.result?.reference).toBe('K7QX-4M2P')
    expect(test.navigations).toEqual([])
  })

  it('sends the terms that the payer saw, with the bearer token of the session', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'DECLINED' } })
    await pay(test)
    expect(test.submits()[0]).toEqual({
      path: '/pay/checkouts/current/submit',
      query: new URLSearchParams(),
      authorization: 'Bearer ckt_1',
      body: { attempt_key: 'key-1', milliseconds_since: {}, options_v: 1, ...CARD },
    })
  })

  it('redirects through the return URL when the link skips the receipt', async () => {
    const test = await ready()
    test.replies.submit.push({
      json: {
        outcome: 'COMPLETED',
        redirect: 'https://shop.example/ok',
        return_url: 'https://pay.example/pay/checkouts/h/return',
      },
    })
    await pay(test)
    expect(test.navigations).toEqual(['https://pay.example/pay/checkouts/h/return'])
    expect(test.checkout.screen.value).toMatchObject({
      kind: 'redirecting',
      redirect: { to: 'MERCHANT' },
    })
  })

  it('shows the outcome when the receipt cannot be fetched, and fetches it later', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'COMPLETED' } })
    test.replies.current.push('LOST')
    await pay(test)
    expect(test.checkout.checkout.value.result?.outcome).toBe('COMPLETED')
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: result() }) },
    })
    await test.pass(1_000)
    expect(test.checkout.checkout.value.result?.reference).toBe('K7QX-4M2P')
  })

  it('submits once for a double click', async () => {
    const test = await ready()
    test.replies.submit.push('NEVER')
    await press(test)
    await press(test)
    expect(test.submits()).toHaveLength(1)
  })

  it('redirects to http and https URLs only', async () => {
    const test = await ready()
    test.replies.submit.push({
      json: { outcome: 'ACTION', action: { type: 'REDIRECT', url: 'javascript:alert(1)' } },
    })
    await pay(test)
    expect(test.navigations).toEqual([])
  })

  it('redirects to the bank for a challenge', async () => {
    const test = await ready()
    const url = 'https://bank.example/confirm'
    test.replies.submit.push({ json: { outcome: 'ACTION', action: { type: 'REDIRECT', url } } })
    await pay(test)
    expect(test.navigations).toEqual([url])
    expect(test.checkout.step.value).toMatchObject({ url, to: 'BANK' })
  })
})

describe('a decline', () => {
  it('keeps the form, shows the reason and clears the security code', async () => {
    const test = await ready()
    test.replies.submit.push({
      json: { outcome: 'DECLINED', message_id: 'errors.insufficient_funds' },
    })
    await pay(test)
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value).toEqual({
      tone: 'problem',
      id: 'errors.insufficient_funds',
    })
    expect(test.checkout.cvcResets.value).toBe(1)
  })

  it('shows a general reason for an unknown message id', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'DECLINED', message_id: 'errors.of_tomorrow' } })
    await pay(test)
    expect(test.checkout.notice.value?.id).toBe('errors.declined')
  })

  it('gives the next attempt a new key', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'DECLINED' } }, { json: { outcome: 'DECLINED' } })
    await pay(test)
    await pay(test)
    const keys = test.submits().map(({ body }) => body?.['attempt_key'])
    expect(keys).toEqual(['key-1', 'key-2'])
  })
})

describe('a lost response', () => {
  it('repeats the identical request and shows its outcome', async () => {
    const test = await ready()
    test.replies.submit.push('LOST', 'LOST', { json: { outcome: 'COMPLETED' } })
    await press(test)
    expect(test.checkout.step.value).toBe('unconfirmed')
    test.replies.current.push('LOST', {
      json: { checkout: sessionOf(test.session, { result: result() }) },
    })
    await test.pass(5_000)
    const bodies = test.submits().map(({ body }) => JSON.stringify(body))
    expect(bodies).toHaveLength(3)
    expect(new Set(bodies).size).toBe(1)
    expect(test.checkout.step.value).toBe('result')
  })

  it.each([500, 502, 503, 504, 408, 409])('is assumed for the status %i', async (status) => {
    const test = await ready()
    test.replies.submit.push({ status, json: { error: { type: 'INTERNAL', message: 'x' } } })
    await press(test)
    expect(test.checkout.step.value).toBe('unconfirmed')
  })

  it('is assumed after a timeout', async () => {
    const test = await ready()
    test.replies.submit.push('NEVER')
    await press(test)
    expect(test.checkout.step.value).toBe('submitting')
    await test.pass(45_000)
    expect(test.checkout.step.value).toBe('unconfirmed')
  })

  it('blocks another payment until it is resolved', async () => {
    const test = await ready()
    test.replies.submit.push('LOST', 'NEVER')
    await press(test)
    await press(test)
    expect(test.submits()).toHaveLength(1)
  })

  it('is resolved by the session when repeated submits fail', async () => {
    const test = await ready()
    test.replies.submit.push('LOST', 'LOST')
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: result() }) },
    })
    await press(test)
    await test.pass(1_000)
    expect(test.checkout.checkout.value.result?.outcome).toBe('COMPLETED')
  })

  it('is not resolved by an older decline of the session', async () => {
    const test = await ready()
    test.replies.submit.push('LOST', 'LOST')
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: result({ outcome: 'DECLINED' }) }) },
    })
    await press(test)
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('unconfirmed')
  })

  it('is resolved at once when the connection is back', async () => {
    const test = await ready()
    test.replies.submit.push('LOST')
    await press(test)
    test.checkout.checkNow()
    await settled()
    expect(test.submits()).toHaveLength(2)
  })
})
