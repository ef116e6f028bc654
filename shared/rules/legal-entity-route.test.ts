import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  firstRoute,
  type Route,
  type RouteConditions,
  type RouteFacts,
} from './legal-entity-route.ts'

const FACTS: RouteFacts = {
  currency: 'EUR',
  country: 'FR',
  channel: 'web',
  branding: 'kids',
  source: 'ECOMMERCE',
  account_tags: ['vip', 'wholesale'],
  amount: 1000,
  processor: undefined,
}

const route = (when: RouteConditions = {}, more: Partial<Route> = {}): Route => ({
  when,
  processor: null,
  currencies: null,
  enabled: true,
  ...more,
})

const eur = (range: { from?: number; to?: number }) => ({ amount: { ...range, currency: 'EUR' } })

describe('a route', () => {
  it.each<[string, Route, Partial<RouteFacts>, 'HOLDS' | 'NONE' | 'UNDECIDED']>([
    ['without conditions holds', route(), {}, 'HOLDS'],
    ['that is not enabled does not hold', route({}, { enabled: false }), {}, 'NONE'],
    ['holds for one value of several', route({ currency: ['USD', 'EUR'] }), {}, 'HOLDS'],
    ['does not hold for another currency', route({ currency: ['USD'] }), {}, 'NONE'],
    ['does not hold without a channel', route({ channel: ['web'] }), { channel: null }, 'NONE'],
    ['does not hold for another branding', route({ branding: ['adults'] }), {}, 'NONE'],
    ['does not hold for another source', route({ source: ['MOTO'] }), {}, 'NONE'],
    ['holds for one of the tags', route({ account_tag: ['x', 'vip'] }), {}, 'HOLDS'],
    ['does not hold without the tag', route({ account_tag: ['vi'] }), {}, 'NONE'],
    ['needs all its members', route({ currency: ['EUR'], country: ['DE'] }), {}, 'NONE'],
    [
      'is undecided for a country to come',
      route({ country: ['FR'] }),
      { country: undefined },
      'UNDECIDED',
    ],
    ['does not hold without a country', route({ country: ['FR'] }), { country: null }, 'NONE'],
    ['includes the smallest amount', route(eur({ from: 1000 })), {}, 'HOLDS'],
    ['includes the largest amount', route(eur({ to: 1000 })), {}, 'HOLDS'],
    ['excludes less', route(eur({ from: 1001 })), {}, 'NONE'],
    ['excludes more', route(eur({ to: 999 })), {}, 'NONE'],
    ['has no range in another currency', route({ amount: { currency: 'USD' } }), {}, 'NONE'],
    [
      'is undecided for an amount to come',
      route(eur({ to: 5 })),
      { amount: undefined },
      'UNDECIDED',
    ],
    ['has no range without an amount', route(eur({ from: 0 })), { amount: null }, 'NONE'],
    [
      'is decided by what is known',
      route({ country: ['FR'], source: ['MOTO'] }),
      { country: undefined },
      'NONE',
    ],
    ['leaves out what its entity does not take', route({}, { currencies: ['USD'] }), {}, 'NONE'],
    ['holds while any processor may be used', route({}, { processor: 'pr_1' }), {}, 'HOLDS'],
    ['holds for its processor', route({}, { processor: 'pr_1' }), { processor: 'pr_1' }, 'HOLDS'],
    [
      'leaves other processors alone',
      route({}, { processor: 'pr_1' }),
      { processor: 'pr_2' },
      'NONE',
    ],
  ])('%s', (_name, one, facts, expected) => {
    const outcome = firstRoute([one], { ...FACTS, ...facts })
    expect(typeof outcome === 'object' ? 'HOLDS' : outcome).toBe(expected)
  })
})

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 })
const COUNTRIES = ['FR', 'DE', 'ES']
const conditions = fc.record(
  {
    currency: some('EUR', 'USD'),
    country: some(...COUNTRIES),
    account_tag: some('vip', 'wholesale', 'staff'),
    amount: fc.record({
      from: fc.nat(20),
      to: fc.nat(20),
      currency: fc.constantFrom('EUR', 'USD'),
    }),
  },
  { requiredKeys: [] },
)
const routes = fc.array(
  fc.record({
    when: conditions,
    enabled: fc.boolean(),
    processor: fc.constantFrom(null, 'pr_1', 'pr_2'),
    currencies: fc.constantFrom(null, ['EUR']),
  }),
  { maxLength: 8 },
)
const facts = fc.record({
  currency: fc.constantFrom('EUR', 'USD'),
  country: fc.constantFrom(...COUNTRIES, null),
  amount: fc.nat(20),
  account_tags: fc.subarray(['vip', 'wholesale', 'staff']),
  processor: fc.constantFrom('pr_1', 'pr_2'),
})

describe('the routes of an instance', () => {
  it('decide the same before a fact is known as with it, or not yet', () => {
    fc.assert(
      fc.property(routes, facts, fc.boolean(), fc.boolean(), (all, more, hasCountry, hasAmount) => {
        const known = { ...FACTS, ...more }
        const early = firstRoute(all, {
          ...known,
          ...(!hasCountry && { country: undefined }),
          ...(!hasAmount && { amount: undefined }),
        })
        const late = firstRoute(all, known)
        expect(late).not.toBe('UNDECIDED')
        if (early !== 'UNDECIDED') expect(early).toEqual(late)
      }),
    )
  })

  it('are decided by the first that holds, whatever follows', () => {
    fc.assert(
      fc.property(routes, routes, facts, (first, rest, more) => {
        const known = { ...FACTS, ...more }
        const alone = firstRoute(first, known)
        const together = firstRoute([...first, ...rest], known)
        expect(together).toEqual(alone === 'NONE' ? firstRoute(rest, known) : alone)
      }),
    )
  })
})
