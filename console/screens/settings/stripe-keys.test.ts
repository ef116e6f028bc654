import { describe, expect, it } from 'vitest'
import { keyProblem } from './stripe-keys.ts'

describe('a key of Stripe', () => {
  it.each([
    ['', 'secret', 'TEST', undefined],
    ['sk_test_12345678', 'secret', 'TEST', undefined],
    ['rk_live_12345678', 'secret', 'LIVE', undefined],
    ['pk_test_12345678', 'secret', 'TEST', 'key_secret_wrong'],
    ['sk_test_12345678', 'public', 'TEST', 'key_public_wrong'],
    ['sk_test_1', 'secret', 'TEST', 'key_secret_wrong'],
    ['sk_test_12345678', 'secret', 'LIVE', 'key_mode_live'],
    ['pk_live_12345678', 'public', 'TEST', 'key_mode_test'],
  ] as const)('%j as %s of a %s instance: %s', (key, kind, mode, problem) => {
    expect(keyProblem(key, kind, mode)).toBe(problem)
  })
})
