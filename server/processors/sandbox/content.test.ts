import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestSandbox, type TestSandbox } from '../../../test/sandbox-processor.ts'

let test: TestSandbox
beforeEach(async () => {
  test = await openTestSandbox()
})
afterEach(() => test.close())

const VISA = '4242424242424242'

describe('refused orders', () => {
  it.for([
    [{ amount: 0 }, 'amount'],
    [{ amount: 10.5 }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ currency: 'gbp' }, 'currency'],
    [{ operation: '' }, 'key'],
    [{ method: { kind: 'NEW', type: 'CARD' } }, 'needs a token'],
    [{ method: { kind: 'NEW', type: 'CHEQUE', token: 'tok_x' } }, 'type of method'],
    [{ method: { kind: 'STORED', type: 'BANK_TRANSFER', token: 'tok_x' } }, 'stored'],
  ] as const)('%j leaves nothing behind', async ([given, word]) => {
    const response = await test.sandbox.pay(await test.cardOrder(VISA, given))
    expect(response).toMatchObject({ status: 'ERROR', message: expect.stringContaining(word) })
    expect(await test.db.selectFrom('sandbox_operations').selectAll().execute()).toEqual([])
  })

  it.for([
    ['token', async () => ({ method: (await test.cardOrder(VISA)).method })],
    ['wish to store', async () => ({ store: true })],
    ['currency', async () => ({ currency: 'EUR' })],
  ] as const)('refuses a key that comes back with another %s', async ([, change]) => {
    const order = await test.cardOrder(VISA)
    await test.sandbox.pay(order)
    const changed = { ...order, ...(await change()) }
    expect(await test.sandbox.pay(changed)).toMatchObject({ status: 'ERROR' })
    expect(await test.taken()).toBe(1050)
  })

  it('treats a repeated key with another return URL as a repeat', async () => {
    const order = await test.cardOrder(VISA)
    const response = await test.sandbox.pay(order)
    const elsewhere = { ...order, return_url: 'https://shop.example/' }
    expect(await test.sandbox.pay(elsewhere)).toEqual(response)
  })

  it('refuses a key of another kind of operation', async () => {
    const order = await test.cardOrder(VISA)
    await test.sandbox.pay(order)
    expect(await test.sandbox.authorize(order)).toMatchObject({ status: 'ERROR' })
  })

  it('accepts one of two concurrent requests with one key and different content', async () => {
    const order = await test.cardOrder(VISA)
    const other = await test.cardOrder(VISA, { operation: order.operation, amount: 77 })
    const responses = await Promise.all([test.sandbox.pay(order), test.sandbox.pay(other)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual(['APPROVED', 'ERROR'])
    expect([1050, 77]).toContain(await test.taken())
  })
})
