import { describe, expect, it } from 'vitest'
import { hashSecret, newSecret } from './secrets.ts'

describe('a new secret', () => {
  it('has 256 random bits behind its prefix', () => {
    const [, tail = ''] = /^ckt_([\w-]{43})$/.exec(newSecret('ckt')) ?? []
    expect(Buffer.from(tail, 'base64url')).toHaveLength(32)
  })

  it('never comes twice', () => {
    const drawn = Array.from({ length: 1000 }, () => newSecret('sk'))
    expect(new Set(drawn).size).toBe(1000)
  })
})

it('is kept as its SHA-256 in hex', () => {
  // From FIPS 180-4's example of the message "abc".
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
