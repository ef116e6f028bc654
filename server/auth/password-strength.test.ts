import { describe, expect, it } from 'vitest'
import { passwordError } from './credential-rules.ts'
import { isStrongSecretKey } from '../secret-key.ts'
import { newSecret } from './secrets.ts'

describe('a password that is being set', () => {
  it.each([
    ['eleven chrs', 'LENGTH'],
    ['x'.repeat(1001), 'LENGTH'],
    ['password1234', 'GUESSABLE'],
    ['P@ssw0rd1234', 'GUESSABLE'],
    ['passwordpassword', 'GUESSABLE'],
    ['qwertyuiop12', 'GUESSABLE'],
    ['123456789012', 'GUESSABLE'],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 'GUESSABLE'],
    ['ada@shop.example', 'GUESSABLE'],
    ['checkstandcheckstand', 'GUESSABLE'],
    ['correct horse battery', undefined],
    ['kV7#q2Lw9!xR', undefined],
    ['\u{1f511}'.repeat(3) + ' kind teapot', undefined],
    ['v'.repeat(500) + 'kind green teapot', 'GUESSABLE'],
  ])('breaks the rule that is said: %s', async (password, kind) => {
    expect((await passwordError(password, 'ada@shop.example'))?.kind).toBe(kind)
  })
})

describe('a secret key', () => {
  it('that we make is strong', () => {
    for (const mode of ['test', 'live']) {
      expect(isStrongSecretKey(newSecret(`sk_${mode}_default`))).toBe(true)
    }
  })
})
