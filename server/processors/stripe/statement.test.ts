import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statementParams } from './statement.ts'

describe('what a statement of Stripe shows', () => {
  it.each([
    ['CARD', 'NORD ATELIER', undefined, { statement_descriptor_suffix: 'NORD ATELIER' }],
    ['CARD', 'NORD ATELIER', 'Order', { statement_descriptor_suffix: 'NORD ATELIER' }],
    ['CARD', null, 'Order', { statement_descriptor_suffix: 'Order' }],
    ['CARD', null, undefined, {}],
    // Stripe puts a star of its own behind the prefix, and takes no other.
    ['CARD', 'NORD* SHOP', undefined, { statement_descriptor_suffix: 'NORD SHOP' }],
    ['CARD', '*** A ***', undefined, { statement_descriptor_suffix: 'A' }],
    ['IDEAL', 'NORD ATELIER', 'Order', { statement_descriptor: 'NORD ATELIER' }],
    ['IDEAL', 'NORD* SHOP', undefined, { statement_descriptor: 'NORD SHOP' }],
    ['IDEAL', '*** A ***', 'Order', { statement_descriptor: 'Order' }],
    ['IDEAL', '*** A ***', undefined, {}],
    ['DIRECT_DEBIT', null, 'Order', { statement_descriptor: 'Order' }],
  ])('by %s with %j and the suffix %j', (method, own, suffix, params) => {
    expect(statementParams(method, { own, suffix })).toEqual(params)
  })

  it('keeps the rules of Stripe with every text that a legal entity may have', () => {
    const characters = fc.constantFrom('A', 'B', 'Z', '0', '9', ' ', '.', '*', '-')
    const texts = fc.string({ unit: characters, minLength: 5, maxLength: 22 })
    fc.assert(
      fc.property(texts, fc.constantFrom('CARD', 'IDEAL'), (own, method) => {
        fc.pre(/[A-Z]/.test(own))
        const { statement_descriptor: whole, statement_descriptor_suffix: suffix } =
          statementParams(method, { own, suffix: undefined })
        expect(method === 'CARD' ? whole : suffix).toBeUndefined()
        const shown = method === 'CARD' ? (suffix ?? '') : (whole ?? 'LEFT OUT')
        expect(shown).toMatch(/^(?=.*[A-Z])[A-Z0-9 .-]{1,22}$/)
        if (method !== 'CARD') expect(shown.length).toBeGreaterThanOrEqual(5)
      }),
    )
  })
})
