import { describe, expect, it } from 'vitest'
import { model, result } from '../gallery/models.ts'
import type { Submission } from './form-input.ts'
import { sessionOf, setUp } from './testing.ts'

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

describe('a refused submit', () => {
  it('reports the member, and a correction gets a new key', async () => {
    const test = await ready()
    const message = 'account.email must be an email address'
    test.replies.submit.push({
      status: 400,
      json: { error: { type: 'INVALID_REQUEST', message } },
    })
    await pay(test)
    expect(test.checkout.refusedMember.value).toBe('account.email')
    expect(test.checkout.notice.value?.id).toBe('errors.not_accepted')
    test.replies.submit.push({ json: { outcome: 'DECLINED' } })
    await pay(test)
    expect(test.submits()[1]?.body?.['attempt_key']).toBe('key-2')
  })

  it('reports no connection when the processor cannot be reached before the submit', async () => {
    const test = await ready()
    await test.checkout.pay(() => Promise.resolve('UNREACHABLE'))
    expect(test.checkout.notice.value?.id).toBe('errors.no_connection')
    expect(test.checkout.step.value).toBe('form')
    expect(test.submits()).toEqual([])
  })

  const tooMany = (headers: Record<string, string> = {}) => ({
    status: 429,
    json: { error: { type: 'TOO_MANY_REQUESTS', message: 'Too soon' } },
    headers,
  })

  it.each([[{}], [{ 'Retry-After': '11' }], [{ 'Retry-After': '900' }]])(
    'reports too many attempts: %j',
    async (headers) => {
      const test = await ready()
      test.replies.submit.push(tooMany(headers))
      await pay(test)
      expect(test.checkout.notice.value?.id).toBe('errors.too_many_attempts')
      expect(test.checkout.step.value).toBe('form')
      expect(test.submits()).toHaveLength(1)
    },
  )

  it('retries the same attempt after a short Retry-After', async () => {
    const test = await ready()
    test.replies.submit.push(tooMany({ 'Retry-After': '1' }), tooMany({ 'Retry-After': '3' }))
    test.replies.submit.push({ json: { outcome: 'DECLINED' } })
    void pay(test)
    await test.pass(999)
    expect(test.submits()).toHaveLength(1)
    expect(test.checkout.step.value).toBe('submitting')
    expect(test.checkout.notice.value).toBeNull()
    await test.pass(1)
    expect(test.submits()).toHaveLength(2)
    await test.pass(3000)
    expect(test.submits()).toHaveLength(3)
    const [first, ...others] = test.submits().map(({ body }) => body)
    for (const other of others) expect(other).toEqual(first)
    expect(test.checkout.notice.value?.id).toBe('errors.declined')
  })

  it('retries a limited number of times', async () => {
    const test = await ready()
    for (let i = 0; i < 20; i += 1) test.replies.submit.push(tooMany({ 'Retry-After': '1' }))
    void pay(test)
    await test.pass(60_000)
    expect(test.submits()).toHaveLength(6)
    expect(test.checkout.notice.value?.id).toBe('errors.too_many_attempts')
  })
})

describe('changed terms', () => {
  it('shows the new amount before anything can be paid', async () => {
    const test = await ready()
    const changed = model({}, { options_v: 2 }, { amount: '15.00' }).checkout
    test.replies.submit.push({ json: { outcome: 'TERMS_CHANGED' } })
    test.replies.current.push({ json: { checkout: sessionOf(changed) } })
    await pay(test)
    expect(test.checkout.checkout.value.terms.amount).toBe('15.00')
    expect(test.checkout.notice.value).toEqual({ tone: 'news', id: 'status.amount_changed' })
    test.replies.submit.push({ json: { outcome: 'DECLINED' } })
    await pay(test)
    expect(test.submits()[1]?.body).toMatchObject({ options_v: 2, attempt_key: 'key-2' })
  })
})

describe('a link that is being paid', () => {
  it('waits for the other window and shows its receipt without a redirect', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'BUSY', message_id: 'status.busy' } })
    const busy = sessionOf(test.session, { result: result({ outcome: 'BUSY' }) })
    test.replies.current.push({ json: { checkout: busy } })
    await pay(test)
    expect(test.checkout.step.value).toBe('busy')
    const paid = result({ skip_receipt: true, method: null })
    test.replies.current.push({ json: { checkout: sessionOf(test.session, { result: paid }) } })
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('result')
    expect(test.navigations).toEqual([])
  })

  it('is shown in spite of an older decline of this session', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'BUSY' } })
    const older = sessionOf(test.session, { result: result({ outcome: 'DECLINED' }) })
    test.replies.current.push({ json: { checkout: older } })
    await pay(test)
    expect(test.checkout.step.value).toBe('busy')
  })

  it('can be paid here once the other window has given up', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'BUSY' } })
    const busy = sessionOf(test.session, { result: result({ outcome: 'BUSY' }) })
    test.replies.current.push({ json: { checkout: busy } })
    await pay(test)
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('status.free_again')
  })

  it('is shown as unavailable once it is archived', async () => {
    const test = await ready()
    test.replies.submit.push({ json: { outcome: 'GONE', message_id: 'status.unavailable' } })
    await pay(test)
    expect(test.checkout.step.value).toBe('unavailable')
  })
})

describe('an expired session', () => {
  it('is replaced at once, and the payment succeeds under the same terms', async () => {
    const test = await ready()
    test.replies.submit.push(
      { json: { outcome: 'GONE', message_id: 'errors.session_expired' } },
      { json: { outcome: 'COMPLETED' } },
    )
    test.replies.open.push({ json: { token: 'ckt_2', checkout: test.session } })
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: result() }) },
    })
    await pay(test)
    expect(test.submits().map(({ authorization }) => authorization)).toEqual([
      'Bearer ckt_1',
      'Bearer ckt_2',
    ])
    expect(test.checkout.step.value).toBe('result')
  })

  it('asks the payer again when the new session has other terms', async () => {
    const test = await ready()
    test.replies.submit.push({ status: 401, json: { code: 'UNAUTHORIZED', message: 'x' } })
    const changed = model({}, { options_v: 2 }, { amount: '15.00' }).checkout
    test.replies.open.push({ json: { token: 'ckt_2', checkout: sessionOf(changed) } })
    await pay(test)
    expect(test.submits()).toHaveLength(1)
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('status.terms_changed')
  })
})
