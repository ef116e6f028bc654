import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listIds } from './string-ids.ts'
import type { Strings } from './wording.ts'
import { placeholdersOf, WORDING_LENGTH_MAX, wordingProblem } from './wording-problem.ts'

const folder = new URL('../../locales/', import.meta.url)
const readCatalog = (name: string) =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Strings
const BASE = readCatalog('default.json')
const PAY = 'checkout.pay'

describe('a text', () => {
  it.each<[string, string, string]>([
    ['too long', 'x'.repeat(WORDING_LENGTH_MAX + 1), 'LENGTH'],
    ['with NUL', 'a\0b', 'CHARACTERS'],
    ['with half of a character', 'a\ud83d', 'CHARACTERS'],
    ['with a card number', 'Pay to 4242 4242 4242 4242', 'CARD_NUMBER'],
    ['with the first private-use character', 'Pay \ue000', 'PRIVATE_USE'],
    ['with the last private-use character', '\uf8ff', 'PRIVATE_USE'],
    ['with an unknown placeholder', 'Pay {count}', 'PLACEHOLDER'],
    ['with a lonely brace', 'Pay {amount', 'BRACES'],
  ])('%s breaks a rule', (_what, text, rule) => {
    expect(wordingProblem(BASE, PAY, text)?.rule).toBe(rule)
  })

  it.each(['', 'Pay', 'Pay {amount}', '\ud83d\ude00 {amount}', '\ud7ff \uf900', 'é'])(
    'may be %j',
    (text) => expect(wordingProblem(BASE, PAY, text)).toBeNull(),
  )

  it('with a private-use character anywhere is refused', () => {
    const mark = fc.integer({ min: 0xe000, max: 0xf8ff })
    fc.assert(
      fc.property(fc.string(), mark, fc.string(), (before, code, after) => {
        const text = `${before}${String.fromCharCode(code)}${after}`
        expect(wordingProblem(BASE, PAY, text)).not.toBeNull()
      }),
    )
  })

  it('learns which placeholders its id may use', () => {
    expect(wordingProblem(BASE, PAY, '{vat}')).toEqual({
      rule: 'PLACEHOLDER',
      name: 'vat',
      allowed: ['amount'],
    })
    expect(placeholdersOf(BASE, 'receipt.thanks')).toEqual(
      expect.arrayContaining(['merchant', 'legal_name', 'vat']),
    )
  })
})

it('every shipped text of every language obeys the rules', () => {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const strings = readCatalog(name)
    for (const id of listIds(BASE, name.slice(0, -'.json'.length))) {
      const text = strings[id]
      if (text !== undefined)
        expect([name, id, wordingProblem(BASE, id, text)]).toEqual([name, id, null])
    }
  }
})
