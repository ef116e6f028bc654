import { describe, expect, it } from 'vitest'
import { newAttemptKey } from './payment-flow.ts'
import { createTokenStore } from './token-store.ts'

const blocked = () => {
  throw new Error('SecurityError')
}

describe('the token store', () => {
  it('uses memory where the browser blocks storage', () => {
    const store = createTokenStore(blocked)
    store.write('pl_1', 'ckt_1')
    expect(store.read('pl_1')).toBe('ckt_1')
    store.write('pl_1', null)
    expect(store.read('pl_1')).toBeNull()
  })

  it('keeps the tokens of links separate', () => {
    const store = createTokenStore(blocked)
    store.write('pl_1', 'ckt_1')
    expect(store.read('pl_2')).toBeNull()
  })
})

describe('the attempt key', () => {
  it('is a UUID of version 4 without crypto.randomUUID', () => {
    const bare = { getRandomValues: crypto.getRandomValues.bind(crypto) } as Crypto
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    expect(newAttemptKey(bare)).toMatch(form)
    expect(newAttemptKey()).toMatch(form)
    expect(newAttemptKey(bare)).not.toBe(newAttemptKey(bare))
  })
})
