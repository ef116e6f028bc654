import { describe, expect, it } from 'vitest'
import { looksLikeId } from '../shared/rules/ids.ts'
import { type IdPrefix, newId, newPaymentLinkId, newReference, randomBase64url } from './ids.ts'

const NOW = Date.parse('2030-05-01T12:00:00.000Z')
const PUBLIC: IdPrefix[] = ['acc', 'pay', 'tr', 'pm', 'ck']
const INTERNAL: IdPrefix[] = ['at', 'mer', 'ins', 'usr']

describe('an id', () => {
  it.each([...PUBLIC, ...INTERNAL])(
    '%s has the time and sixteen characters behind it',
    (prefix) => {
      expect(newId(prefix, NOW)).toMatch(new RegExp(`^${prefix}_${NOW}_[0-9a-z]{16}$`))
    },
  )

  it.each(PUBLIC)('%s is known as an id, so no key can be mistaken for it', (prefix) => {
    expect(looksLikeId(newId(prefix, NOW))).toBe(true)
  })
})

describe('a payment link id', () => {
  it('has the time in base 36 and twenty-four characters behind it', () => {
    const id = newPaymentLinkId(NOW)
    expect(id).toMatch(/^pl_[0-9a-z]+_[0-9A-Za-z]{24}$/)
    expect(Number.parseInt(id.split('_')[1] ?? '', 36)).toBe(NOW)
    expect(looksLikeId(id)).toBe(true)
  })
})

describe('a reference', () => {
  it('is three groups of four without characters that sound or look alike', () => {
    for (let i = 0; i < 200; i += 1) {
      expect(newReference()).toMatch(/^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){2}$/)
    }
  })
})

const TAILS = [
  ['ids', 36, () => newId('acc', NOW).slice(-16)],
  ['payment link ids', 62, () => newPaymentLinkId(NOW).slice(-24)],
  ['references', 31, () => newReference().replaceAll('-', '')],
  // Three bytes are four characters; the last of 32 bytes would stand for fewer bits.
  ['secrets', 64, () => randomBase64url(33)],
] as const

describe.each(TAILS)('the random part of %s', (_what, letters, tail) => {
  it('never comes twice', () => {
    const drawn = Array.from({ length: 20_000 }, tail)
    expect(new Set(drawn).size).toBe(drawn.length)
  })

  // A byte taken modulo these alphabets would put some characters at least 9 per cent above the
  // mean. Chance strays from it by 6 per cent less often than once in a hundred million runs.
  it('uses every character of its alphabet equally often', () => {
    const perLetter = 12_000
    const counts = new Map<string, number>()
    let total = 0
    while (total < letters * perLetter) {
      for (const letter of tail()) {
        counts.set(letter, (counts.get(letter) ?? 0) + 1)
        total += 1
      }
    }
    expect(counts.size).toBe(letters)
    const mean = total / letters
    const strays = [...counts].filter(([, count]) => Math.abs(count - mean) > mean * 0.06)
    expect(strays).toEqual([])
  })
})
