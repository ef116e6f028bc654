import creditCardType from 'credit-card-type'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cardBrand } from './brands.ts'

const THEIR_ID: Readonly<Record<string, string>> = {
  amex: 'american-express',
  diners: 'diners-club',
}
const OURS = ['visa', 'mastercard', 'amex', 'diners', 'discover', 'jcb', 'unionpay', 'maestro']

function theirs(digits: string) {
  const found = creditCardType(digits)
  return found.length === 1 ? found[0] : undefined
}

describe('the table of brands', () => {
  it.each(OURS)('has the gaps and lengths of credit-card-type for %s', (id) => {
    const known = creditCardType.getTypeInfo(THEIR_ID[id] ?? id)
    const first = { mastercard: '51', amex: '34', diners: '36', discover: '6011', jcb: '3528' }
    const others = { visa: '4', unionpay: '620', maestro: '5018' }
    const ours = cardBrand({ ...first, ...others }[id] ?? '')
    expect(ours).toEqual({
      id,
      name: known.niceType,
      gaps: known.gaps,
      lengths: known.lengths,
      codeLength: known.code.size,
    })
  })

  // Random numbers rarely fall into a range of six digits, so the ranges themselves are among the
  // tested numbers.
  const starts = OURS.flatMap((id) =>
    creditCardType.getTypeInfo(THEIR_ID[id] ?? id).patterns.flatMap((range) => range),
  )
  const numbers = fc.oneof(
    fc.stringMatching(/^[2-68][0-9]{7}$/),
    fc
      .tuple(fc.constantFrom(...starts), fc.stringMatching(/^[0-9]{8}$/))
      .map(([start, rest]) => `${start}${rest}`.slice(0, 8)),
  )

  it('allows every number that credit-card-type allows', () => {
    fc.assert(
      fc.property(numbers, (digits) => {
        const known = theirs(digits)
        // Its Maestro allows every number with a 6, including those of UnionPay.
        if (known === undefined || (known.type === 'maestro' && digits.startsWith('62'))) return
        const ours = cardBrand(digits)
        expect(ours.lengths).toEqual(expect.arrayContaining(known.lengths))
        expect([known.code.size, 4]).toContain(ours.codeLength)
        if (ours.id !== '') expect(ours.codeLength).toBe(known.code.size)
      }),
      { numRuns: 3000 },
    )
  })

  it('finds the brand that credit-card-type finds', () => {
    // Maestro is its fallback for every number with a 6, where ours has no brand.
    fc.assert(
      fc.property(numbers, (digits) => {
        if (digits.startsWith('6')) return
        const known = theirs(digits)?.type
        const id = OURS.find((ours) => (THEIR_ID[ours] ?? ours) === known)
        if (id !== undefined) expect(cardBrand(digits).id).toBe(id)
      }),
      { numRuns: 3000 },
    )
  })
})
