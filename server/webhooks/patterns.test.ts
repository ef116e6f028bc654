import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../events/event-types.ts'
import { isKnownPattern, matchesEvent } from './patterns.ts'

const type = fc.constantFrom(...EVENT_TYPES)
const kindOf = (one: string) => one.split('.')[0] as string
const pattern = fc.oneof(
  fc.constant('*'),
  type,
  type.map((one) => `${kindOf(one)}.*`),
)

describe('a pattern', () => {
  it('is a type, all types of a resource, or all types', () => {
    fc.assert(
      fc.property(pattern, type, (one, happened) => {
        const expected = one === '*' || one === happened || one === `${kindOf(happened)}.*`
        expect(matchesEvent([one], happened)).toBe(expected)
        expect(isKnownPattern(one)).toBe(true)
      }),
    )
  })

  it('of a list matches on its own', () => {
    fc.assert(
      fc.property(fc.array(pattern), type, (patterns, happened) => {
        expect(matchesEvent(patterns, happened)).toBe(
          patterns.some((one) => matchesEvent([one], happened)),
        )
      }),
    )
  })

  it.each([
    ['payment.*', 'payment_link.created'],
    ['payment.*', 'payment_method.removed'],
    ['payment_link.payment', 'payment_link.payment_success'],
    ['payment_link.payment.*', 'payment_link.payment_success'],
  ])('%s is not about %s', (one, happened) => {
    expect(matchesEvent([one], happened)).toBe(false)
  })

  it.each(['', '.*', '**', 'payment', 'payment*', '*.success', 'Payment.*', 'payment.succes'])(
    'is not "%s"',
    (one) => {
      expect(isKnownPattern(one)).toBe(false)
    },
  )

  it('that is any other text is unknown', () => {
    const valid = new Set<string>(EVENT_TYPES.flatMap((one) => [one, `${kindOf(one)}.*`, '*']))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          type.map((one) => one.slice(1)),
        ),
        (text) => {
          expect(isKnownPattern(text)).toBe(valid.has(text))
        },
      ),
    )
  })
})
