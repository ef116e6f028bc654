import { describe, expect, it } from 'vitest'
import { model } from '../scenes/models.ts'
import { outcome, ready, refusal, sessionOf } from './testing.ts'

/** A session whose link costs another amount by now. */
const CHANGED = sessionOf(model({}, { options_v: 2 }, { amount: '15.00' }).checkout)

describe('a refused submit', () => {
  it('reports the member, and a correction gets a new key', async () => {
    const test = await ready()
    await test.pay(refusal(400, 'account.email must be an email address'))
    expect(test.checkout.refusedMember.value).toBe('account.email')
    expect(test.checkout.notice.value?.id).toBe('errors.not_accepted')
    await test.pay(outcome('DECLINED'))
    expect(test.submits()[1]?.body?.['attempt_key']).toBe('key-2')
  })

  it('reports no connection when the processor cannot be reached before the submit', async () => {
    const test = await ready()
    await test.checkout.pay(() => Promise.resolve('UNREACHABLE'))
    expect(test.checkout.notice.value?.id).toBe('errors.no_connection')
    expect(test.checkout.step.value).toBe('form')
    expect(test.submits()).toEqual([])
  })

  const tooMany = (headers: Record<string, string>) => refusal(429, 'Too soon', headers)
  const soon = (seconds: string) => tooMany({ 'Retry-After': seconds })

  it.each<Record<string, string>>([{}, { 'Retry-After': '11' }, { 'Retry-After': '900' }])(
    'reports too many attempts: %j',
    async (headers) => {
      const test = await ready()
      await test.pay(tooMany(headers))
      expect(test.checkout.notice.value?.id).toBe('errors.too_many_attempts')
      expect(test.checkout.step.value).toBe('form')
      expect(test.submits()).toHaveLength(1)
    },
  )

  it('retries the same attempt after a short Retry-After', async () => {
    const test = await ready()
    test.replies.submit.push(soon('1'), soon('3'))
    await test.press(outcome('DECLINED'))
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
    for (let i = 0; i < 20; i += 1) await test.press(tooMany({ 'Retry-After': '1' }))
    await test.pass(60_000)
    expect(test.submits()).toHaveLength(6)
    expect(test.checkout.notice.value?.id).toBe('errors.too_many_attempts')
  })
})

describe('changed terms', () => {
  it('shows the new amount before anything can be paid', async () => {
    const test = await ready()
    await test.pay(outcome('TERMS_CHANGED'), { json: { checkout: CHANGED } })
    expect(test.checkout.checkout.value.terms.amount).toBe('15.00')
    expect(test.checkout.notice.value).toEqual({ tone: 'news', id: 'status.amount_changed' })
    await test.pay(outcome('DECLINED'))
    expect(test.submits()[1]?.body).toMatchObject({ options_v: 2, attempt_key: 'key-2' })
  })
})

describe('a link that is being paid', () => {
  it('waits for the other window and shows its receipt without a redirect', async () => {
    const test = await ready()
    await test.pay(outcome('BUSY', { message_id: 'status.busy' }), test.shows({ outcome: 'BUSY' }))
    expect(test.checkout.step.value).toBe('busy')
    test.replies.current.push(test.shows({ skip_receipt: true, method: null }))
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('result')
    expect(test.navigations).toEqual([])
  })

  it('is shown in spite of an older decline of this session', async () => {
    const test = await ready()
    await test.pay(outcome('BUSY'), test.shows({ outcome: 'DECLINED' }))
    expect(test.checkout.step.value).toBe('busy')
  })

  it('can be paid here once the other window has given up', async () => {
    const test = await ready()
    await test.pay(outcome('BUSY'), test.shows({ outcome: 'BUSY' }))
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('status.free_again')
  })

  it('is shown as unavailable once it is archived', async () => {
    const test = await ready()
    await test.pay(outcome('GONE', { message_id: 'status.unavailable' }))
    expect(test.checkout.step.value).toBe('unavailable')
  })
})

describe('an expired session', () => {
  it('is replaced at once, and the payment succeeds under the same terms', async () => {
    const test = await ready()
    test.replies.submit.push(
      outcome('GONE', { message_id: 'errors.session_expired' }),
      outcome('COMPLETED'),
    )
    test.replies.open.push(test.opens('ckt_2'))
    test.replies.current.push(test.shows())
    await test.pay()
    expect(test.submits().map(({ authorization }) => authorization)).toEqual([
      'Bearer ckt_1',
      'Bearer ckt_2',
    ])
    expect(test.checkout.step.value).toBe('result')
  })

  it('asks the payer again when the new session has other terms', async () => {
    const test = await ready()
    test.replies.open.push({ json: { token: 'ckt_2', checkout: CHANGED } })
    await test.pay(refusal(401))
    expect(test.submits()).toHaveLength(1)
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('status.terms_changed')
  })
})
