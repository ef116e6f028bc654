import fc from 'fast-check'
import { expect, it } from 'vitest'
import { workText, zeroBits } from './proof-of-work.ts'

it.each([
  [[0xff], 0],
  [[0x80, 0], 0],
  [[0x7f], 1],
  [[0x01], 7],
  [[0, 0xff], 8],
  [[0, 0x10, 0], 11],
  [[0, 0, 0], 24],
])('%j begins with %d zero bits', (bytes, bits) => {
  expect(zeroBits(Uint8Array.from(bytes))).toBe(bits)
})

it('counts the zero bits of the number', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 32 }), (bytes) => {
      const digits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
      expect(zeroBits(bytes)).toBe(/^0*/.exec(digits)?.[0].length)
    }),
  )
})

it('work for one attempt of one session is not valid for another', () => {
  const texts = [workText('a', 'b', '1'), workText('a', 'c', '1'), workText('d', 'b', '1')]
  expect(new Set(texts).size).toBe(3)
})
