import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MethodToCharge } from '../port.ts'
import { FAILING_IBAN, WORKING_IBAN } from './test-cards.ts'
import { approved } from '../../../test/processor-conformance/follow-ups.ts'
import { openTestSandbox, SETTLE_MS, type TestSandbox } from '../../../test/sandbox-processor.ts'
import { signal } from '../../../test/processor-operation.ts'

let test: TestSandbox
beforeEach(async () => {
  test = await openTestSandbox()
})
afterEach(() => test.close())

const VISA = '4242424242424242'

/** The last part of the address that an ACTION leads to. */
function challengeOf({ url = '' }: { status: string; url?: string }): string {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4242\/sandbox\/challenges\/[\w-]{20,}$/)
  return url.slice(url.lastIndexOf('/') + 1)
}

describe('cards', () => {
  it.for([
    ['4242424242424242', { status: 'APPROVED', method: { brand: 'visa', last4: '4242' } }],
    ['5555555555554444', { status: 'APPROVED', method: { brand: 'mastercard', last4: '4444' } }],
    ['378282246310005', { status: 'APPROVED', method: { brand: 'amex', last4: '0005' } }],
    ['4000000000000002', { status: 'DECLINED', code: 'DECLINED' }],
    ['4000000000009995', { status: 'DECLINED', code: 'INSUFFICIENT_FUNDS' }],
    ['4000000000000069', { status: 'DECLINED', code: 'EXPIRED_CARD' }],
    ['4000000000000127', { status: 'DECLINED', code: 'WRONG_SECURITY_CODE' }],
    ['4000000000003220', { status: 'ACTION' }],
    ['4000008260003178', { status: 'ACTION' }],
    ['4000000000000077', { status: 'PENDING', check_after_ms: SETTLE_MS }],
    ['4000000000000259', { status: 'PENDING', check_after_ms: SETTLE_MS }],
  ] as const)('%s does what it is for', async ([number, end]) => {
    const response = await test.sandbox.pay(await test.cardOrder(number))
    expect(response).toMatchObject(end)
    expect(await test.taken()).toBe(end.status === 'APPROVED' ? 1050 : 0)
  })

  it('times out and stores nothing, also when repeated', async () => {
    const order = await test.cardOrder('4000000000000143')
    for (const _ of [1, 2]) await expect(test.sandbox.pay(order)).rejects.toThrow('no response')
    expect(await test.taken()).toBe(0)
    expect(await test.db.selectFrom('sandbox_operations').selectAll().execute()).toEqual([])
    const tokens = await test.db.selectFrom('sandbox_tokens').select('used_by').execute()
    expect(tokens).toEqual([{ used_by: null }])
  })

  it.for([
    ['4000000000003220', 'approve', { status: 'APPROVED', three_ds: 'CHALLENGED' }, 1050],
    ['4000000000003220', 'decline', { code: 'AUTHENTICATION_FAILED', three_ds: 'FAILED' }, 0],
    ['4000008260003178', 'approve', { code: 'INSUFFICIENT_FUNDS', three_ds: 'CHALLENGED' }, 0],
    ['4000008260003178', 'decline', { code: 'AUTHENTICATION_FAILED', three_ds: 'FAILED' }, 0],
  ] as const)('%s after the payer chose to %s', async ([number, choice, end, taken]) => {
    const order = await test.cardOrder(number)
    const challenge = challengeOf(await test.sandbox.pay(order))
    expect(await test.sandbox.gateway.choose(challenge, choice)).toBe(order.return_url)
    expect(await test.sandbox.query(order.operation)).toMatchObject(end)
    expect(await test.taken()).toBe(taken)
  })

  it('declines a challenge without a return URL', async () => {
    for (const return_url of ['', 'javascript:alert(1)', '/pay']) {
      const order = await test.cardOrder('4000000000003220', { return_url })
      expect(await test.sandbox.pay(order)).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
    }
  })

  it('declines a stored card after its expiry month', async () => {
    const { order, token } = await test.storedCard(VISA)
    const method: MethodToCharge = { kind: 'STORED', type: 'CARD', token }
    test.pass(Date.UTC(2034, 11, 31, 23, 59, 59, 999) - Date.UTC(2030, 0, 15, 12))
    const last = { ...order, operation: 'at_last', method }
    expect(await test.sandbox.pay(last)).toMatchObject({ status: 'APPROVED' })
    test.pass(1)
    const late = { ...order, operation: 'at_late', method }
    expect(await test.sandbox.pay(late)).toMatchObject({ code: 'EXPIRED_CARD' })
  })
})

describe('direct debit', () => {
  const order = async (iban: string) =>
    test.cardOrder(VISA, {
      method: { kind: 'NEW', type: 'DIRECT_DEBIT', token: await test.token(iban) },
      store: true,
    })

  it('settles once after a delay and stores the account then', async () => {
    const debit = await order(WORKING_IBAN)
    expect(await test.sandbox.pay(debit)).toMatchObject({
      status: 'PENDING',
      check_after_ms: SETTLE_MS,
      method: { type: 'DIRECT_DEBIT', last4: '0077', country: 'GB' },
    })
    test.pass(SETTLE_MS - 1)
    expect(await test.sandbox.query(debit.operation)).toMatchObject({ check_after_ms: 1 })
    expect(await test.taken()).toBe(0)
    test.pass(1)
    const responses = await Promise.all([1, 2, 3].map(() => test.sandbox.query(debit.operation)))
    for (const response of responses) {
      expect(response).toMatchObject({ status: 'APPROVED', stored: { token: expect.any(String) } })
      expect(response).toEqual(responses[0])
    }
    expect(await test.taken()).toBe(1050)
  })

  it('fails for the account of that scenario', async () => {
    const debit = await order(FAILING_IBAN)
    expect(await test.sandbox.pay(debit)).toMatchObject({ status: 'PENDING' })
    test.pass(SETTLE_MS)
    expect(await test.sandbox.query(debit.operation)).toMatchObject({ code: 'DECLINED' })
    expect(await test.taken()).toBe(0)
  })
})

it('refunds a payment that settled without a query', async () => {
  const order = await test.cardOrder('4000000000000077')
  const pending = await test.sandbox.pay(order)
  const reference = pending.status === 'PENDING' ? pending.reference : ''
  const refund = (operation: string) =>
    test.sandbox.refund({ operation, reference, amount: 1050, currency: 'GBP', signal })
  expect(await refund('early')).toMatchObject({ status: 'DECLINED' })
  test.pass(SETTLE_MS)
  expect(await refund('due')).toMatchObject({ status: 'APPROVED' })
})

describe('bank transfer', () => {
  const pay = async () => {
    const order = await test.cardOrder(VISA, {
      method: { kind: 'NEW', type: 'BANK_TRANSFER' },
      store: true,
    })
    return { order, challenge: challengeOf(await test.sandbox.pay(order)) }
  }

  it('is pending after the payer’s approval and cannot be stored', async () => {
    const { order, challenge } = await pay()
    await test.sandbox.gateway.choose(challenge, 'approve')
    const pending = await test.sandbox.query(order.operation)
    expect(pending).toMatchObject({ status: 'PENDING', check_after_ms: SETTLE_MS })
    test.pass(SETTLE_MS)
    const response = await test.sandbox.query(order.operation)
    expect(response).toMatchObject({ status: 'APPROVED', method: { type: 'BANK_TRANSFER' } })
    expect(response).not.toHaveProperty('stored')
    expect(await test.taken()).toBe(1050)
  })

  it('is CANCELLED when the payer declines it', async () => {
    const { order, challenge } = await pay()
    await test.sandbox.gateway.choose(challenge, 'decline')
    expect(await test.sandbox.query(order.operation)).toMatchObject({ code: 'CANCELLED' })
  })
})

describe('the failpoint', () => {
  it('is reached after each booked charge and nowhere else', async () => {
    const paid = await test.cardOrder(VISA)
    await test.sandbox.pay(paid)
    await test.sandbox.pay(paid)
    await test.sandbox.query(paid.operation)
    await test.sandbox.pay(await test.cardOrder('4000000000000002'))
    expect(test.failpoints).toEqual(['sandbox-charged'])
    const { reference } = approved(await test.sandbox.authorize(await test.cardOrder(VISA)))
    expect(test.failpoints).toHaveLength(1)
    await test.sandbox.capture({ operation: 'cap', reference, amount: 10, currency: 'GBP', signal })
    expect(test.failpoints).toHaveLength(2)
  })
})

describe('authorizations', () => {
  it('cannot be captured after they expire', async () => {
    const { reference } = approved(await test.sandbox.authorize(await test.cardOrder(VISA)))
    test.pass(7 * 24 * 60 * 60 * 1000)
    const capture = { operation: 'cap', reference, amount: 10, currency: 'GBP', signal }
    expect(await test.sandbox.capture(capture)).toMatchObject({ status: 'DECLINED' })
    expect(await test.sandbox.void({ ...capture, operation: 'void' })).toMatchObject({
      status: 'APPROVED',
    })
  })
})
