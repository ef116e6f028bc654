import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseCriteria } from '../../../server/criteria/parse.ts'
import { criteriaText } from '../src/criteria.ts'

it.each([
  [undefined, ''],
  ['status=ACTIVE', 'status=ACTIVE'],
  [{ status: 'SUCCESS' }, 'status=SUCCESS'],
  [{ status: ['SUCCESS', 'PENDING'], currency: 'EUR' }, 'status=SUCCESS;PENDING,currency=EUR'],
  [{ account: null }, 'account!'],
  [{ account: { not: null } }, 'account!!'],
  [{ status: { not: ['PAID', 'CANCELLED'] } }, 'status!=PAID;CANCELLED'],
  [
    { created: { from: '2026-01-01', to: '2026-01-31' } },
    'created>=2026-01-01,created<=2026-01-31',
  ],
  [{ created: { above: new Date(0) } }, 'created>1970-01-01T00:00:00.000Z'],
  [{ amount: { below: 10 } }, 'amount<10'],
  [{ manual: true }, 'manual=Y'],
  [{ email: { contains: 'a,b;c\\d' } }, 'email~=a\\,b\\;c\\\\d'],
  [{ status: undefined, email: { contains: undefined } }, ''],
] as const)('writes %j as %s', (where, text) => {
  expect(criteriaText(where as never)).toBe(text)
})

it('refuses what is no condition', () => {
  expect(() => criteriaText({ amount: { atLeast: 3 } } as never)).toThrow(
    'amount has no condition atLeast',
  )
})

it('is read by the server as it is meant, whatever characters values have', () => {
  const value = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() === text)
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
      const [condition] = parseCriteria(criteriaText({ name: values }))
      expect(condition).toMatchObject({ field: 'name', operator: '=', values })
    }),
  )
})
