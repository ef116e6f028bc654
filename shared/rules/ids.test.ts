import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_ID, looksLikeId, PAYMENT_LINK_ID } from './ids.ts'

const TIMED = 'acc cg pay ca tr ref co vo pm ses ck wh evt dlv le wf pr'.split(' ')
const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 1 })
const base36 = fc.string({
  unit: fc.constantFrom(...Array.from('0123456789abcdefghijklmnopqrstuvwxyz')),
  minLength: 1,
})

describe('a text that could be an id', () => {
  it.each(TIMED)('is one with the prefix %s', (prefix) => {
    fc.assert(
      fc.property(digits, base36, (time, tail) => {
        expect(looksLikeId(`${prefix}_${time}_${tail}`)).toBe(true)
      }),
    )
  })

  it.each(['pl_mb3k9x2q_9fK2bLq0TzXw7RmN4cVd1HsA', 'pl_1_a', 'pl_A_-', 'pl_0_a-b-C'])(
    'is the payment link id %s',
    (text) => {
      expect(looksLikeId(text)).toBe(true)
      expect(PAYMENT_LINK_ID.test(text)).toBe(true)
    },
  )

  it.each([
    'acc_1699000000000',
    'acc_1699000000000_',
    'acc__k3j9',
    'acc_x_k3j9',
    'acc_1699000000000_K3J9',
    'acc_1699000000000_k3j9_x',
    'ACC_1699000000000_k3j9',
    ' acc_1699000000000_k3j9',
    'acc_1699000000000_k3j9 ',
    'acc_1699000000000_k3j9\n',
    'xacc_1699000000000_k3j9',
    'zz_1699000000000_k3j9',
    'pl_1_',
    'pl__a',
    'pl_1-2_a',
    'pl_1_a_b',
    'pl_1_a/b',
    'order-7',
    '',
  ])('is not "%s"', (text) => {
    expect(looksLikeId(text)).toBe(false)
  })
})

it('recognizes an account id by its format', () => {
  expect(ACCOUNT_ID.test('acc_1699000000000_k3j9')).toBe(true)
  expect(ACCOUNT_ID.test('pay_1699000000000_k3j9')).toBe(false)
  expect(ACCOUNT_ID.test('acc_1699000000000_k3j9\n')).toBe(false)
})
