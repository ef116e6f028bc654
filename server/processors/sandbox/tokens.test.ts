import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MethodToCharge } from '../port.ts'
import { approved } from '../../../test/processor-conformance/follow-ups.ts'
import { openTestSandbox, type TestSandbox } from '../../../test/sandbox-processor.ts'

let test: TestSandbox
beforeEach(async () => {
  test = await openTestSandbox()
})
afterEach(() => test.close())

const VISA = '4242424242424242'

describe('tokens', () => {
  it('belong to the first operation that uses them, even if it was declined', async () => {
    const order = await test.cardOrder('4000000000000002')
    expect(await test.sandbox.pay(order)).toMatchObject({ code: 'DECLINED' })
    const again = { ...order, operation: 'at_again' }
    expect(await test.sandbox.pay(again)).toMatchObject({ code: 'INVALID_METHOD' })
  })

  it('are charged once by two concurrent operations', async () => {
    const order = await test.cardOrder(VISA)
    const responses = await Promise.all(
      ['at_a', 'at_b', 'at_c'].map((operation) => test.sandbox.pay({ ...order, operation })),
    )
    expect(responses.filter(({ status }) => status === 'APPROVED')).toHaveLength(1)
    expect(await test.taken()).toBe(1050)
  })

  it('have equal fingerprints exactly for the same card', async () => {
    const fingerprint = async (number: string) => {
      const response = await test.sandbox.pay(await test.cardOrder(number, { store: true }))
      return approved(response).stored?.fingerprint
    }
    const first = await fingerprint(VISA)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(await fingerprint(VISA)).toBe(first)
    expect(await fingerprint('5555555555554444')).not.toBe(first)
  })

  it('have equal fingerprints when the first two are created concurrently', async () => {
    await Promise.all([test.token(VISA), test.token(VISA)])
    const rows = await test.db.selectFrom('sandbox_tokens').select('fingerprint').execute()
    expect(rows).toHaveLength(2)
    expect(rows[0]).toEqual(rows[1])
  })

  it('differ from the token of the stored card', async () => {
    const { order, token } = await test.storedCard(VISA)
    expect(token).toMatch(/^kept_/)
    const seen = order.method.token ?? ''
    const method: MethodToCharge = { kind: 'STORED', type: 'CARD', token: seen }
    const again = { ...order, operation: 'at_again', method }
    expect(await test.sandbox.pay(again)).toMatchObject({ code: 'INVALID_METHOD' })
  })

  it('of a stored card decline an invalid security code with WRONG_SECURITY_CODE', async () => {
    const { order, token } = await test.storedCard(VISA)
    const pay = (operation: string, csc: string) =>
      test.sandbox.pay({
        ...order,
        operation,
        method: { kind: 'STORED', type: 'CARD', token, csc },
      })
    expect(await pay('at_right', '123')).toMatchObject({ status: 'APPROVED' })
    expect(await pay('at_wrong', '12')).toMatchObject({ code: 'WRONG_SECURITY_CODE' })
  })

  it('of a stored card are charged only as STORED and stay the same when stored again', async () => {
    const { order, token } = await test.storedCard(VISA)
    const pay = (operation: string, kind: 'NEW' | 'STORED') =>
      test.sandbox.pay({ ...order, operation, method: { kind, type: 'CARD', token } })
    expect(await pay('at_new', 'NEW')).toMatchObject({ code: 'INVALID_METHOD' })
    expect(await pay('at_stored', 'STORED')).toMatchObject({ stored: { token } })
  })

  it('are deleted after an unused hour', async () => {
    await test.storedCard(VISA)
    const unused = await test.token(VISA)
    const tokens = async () =>
      (await test.db.selectFrom('sandbox_tokens').select('token').execute()).map(
        ({ token }) => token,
      )
    const kept = (await tokens()).filter((token) => token !== unused)
    expect(kept).toHaveLength(2)
    test.pass(60 * 60_000)
    await test.sandbox.gateway.pruneTokens()
    expect(await tokens()).toContain(unused)
    test.pass(1)
    await test.sandbox.gateway.pruneTokens()
    expect((await tokens()).toSorted()).toEqual(kept.toSorted())
  })

  it('are never card numbers', async () => {
    const order = await test.cardOrder(VISA, {
      method: { kind: 'NEW', type: 'CARD', token: '4242 4242 4242 4242' },
    })
    expect(await test.sandbox.pay(order)).toMatchObject({ status: 'ERROR' })
    expect(await test.db.selectFrom('sandbox_operations').selectAll().execute()).toEqual([])
  })
})
