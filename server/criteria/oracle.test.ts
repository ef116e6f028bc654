import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../test/depth.ts'
import { openExample, STATUSES, type Thing } from '../../test/criteria/example-table.ts'
import type { OrderKey } from './order.ts'
import type { Condition } from './parse.ts'
import { printCriteria } from '../../test/criteria/print-criteria.ts'

/** Criteria evaluated over objects in memory, without SQL. */

type Comparable = string | number
type Type = 'text' | 'id' | 'enum' | 'amount' | 'date' | 'flag'

const TYPES: Record<string, { type: Type; of: (thing: Thing) => Comparable | null }> = {
  id: { type: 'id', of: (thing) => thing.id },
  name: { type: 'text', of: (thing) => (thing.name === '' ? null : thing.name) },
  key: { type: 'text', of: (thing) => (thing.name === '' ? null : thing.name) },
  contract: { type: 'id', of: (thing) => thing.contract },
  status: { type: 'enum', of: (thing) => thing.status },
  outstanding_amount: { type: 'amount', of: (thing) => thing.owed },
  due: { type: 'date', of: (thing) => thing.due },
  recurring: { type: 'flag', of: (thing) => thing.recurring },
  created: { type: 'date', of: (thing) => thing.created },
}

function typeOf(field: string) {
  const type = TYPES[field]
  if (!type) throw new Error(`no field ${field}`)
  return type
}

/** Letter by letter, so that nothing depends on the letters beside it. */
function caseless(text: string): string {
  const letter = (each: string) => (each === 'İ' ? 'i' : each === 'ς' ? 'σ' : each.toLowerCase())
  return text.replace(/./gsu, letter)
}

function compare(a: Comparable, b: Comparable): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** The sort key of a stored value; text is case-folded. */
function keyOf(type: Type, stored: Comparable): Comparable {
  return type === 'text' || type === 'enum' ? caseless(String(stored)) : stored
}

/** The lowest and highest stored value that a criteria value matches. */
function bounds(type: Type, value: string): [Comparable, Comparable] {
  if (type === 'amount')
    return [Math.round(Number(value) * 10_000), Math.round(Number(value) * 10_000)]
  if (type !== 'date') return [keyOf(type, value), keyOf(type, value)]
  if (value.length === 10) return [`${value}T00:00:00.000Z`, `${value}T23:59:59.999Z`]
  const instant = new Date(value).toISOString()
  return [instant, instant]
}

function meets(thing: Thing, condition: Condition): boolean {
  const { type, of } = typeOf(condition.field)
  const stored = of(thing)
  if (condition.operator === '!') return stored === null
  if (condition.operator === '!!') return stored !== null
  if ('values' in condition) {
    const equal = condition.values.some((value) => {
      if (type === 'flag') return (value === 'Y') === (stored === 1)
      if (stored === null) return false
      const [low, high] = bounds(type, value)
      return compare(keyOf(type, stored), low) >= 0 && compare(keyOf(type, stored), high) <= 0
    })
    return equal === (condition.operator === '=')
  }
  if (stored === null) return false
  const key = keyOf(type, stored)
  if ('min' in condition) {
    const [low] = bounds(type, condition.min)
    const [, high] = bounds(type, condition.max)
    return compare(key, low) >= 0 && compare(key, high) <= 0
  }
  if (!('value' in condition)) throw new Error('an operator without a rule')
  if (condition.operator === '~=') {
    return caseless(String(stored)).includes(caseless(condition.value))
  }
  const [low, high] = bounds(type, condition.value)
  switch (condition.operator) {
    case '>=':
      return compare(key, low) >= 0
    case '>':
      return compare(key, high) > 0
    case '<=':
      return compare(key, high) <= 0
    case '<':
      return compare(key, low) < 0
  }
}

function sorted(things: readonly Thing[], keys: readonly OrderKey[]): Thing[] {
  const complete = [...keys, { field: 'id', direction: keys.at(-1)?.direction ?? 'asc' }]
  return things.toSorted((a, b) => {
    for (const { field, direction } of complete) {
      const { type, of } = typeOf(field)
      const [left, right] = [of(a), of(b)]
      if (left === null && right === null) continue
      if (left === null || right === null) return left === null ? 1 : -1
      const difference = compare(keyOf(type, left), keyOf(type, right))
      if (difference !== 0) return direction === 'desc' ? -difference : difference
    }
    return 0
  })
}

// Few values, so that conditions match rows, with edge cases of folding, escaping and sorting.
const ALPHABETS = [
  ['a', 'A', 'é', 'É', 'E', '\u0301', ' x', '😀', '\uff5e'],
  ['σ', 'ς', 'Σ', 'α'],
  ['i', 'I', 'İ', 'ı', 'i\u0307'],
  ['ß', 'ẞ', 's', 'S', 'k', 'K', '\u212a'],
  ['%', '_', '\\', 'a'],
  [',', ';', "'", '=', '-', '\\'],
]
type Texts = fc.Arbitrary<string>

/** Of one alphabet in a whole run, so that texts often differ by nothing but their case. */
const texts = fc
  .constantFrom(...ALPHABETS)
  .map((letters): Texts =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3 }),
  )
const day = fc.constantFrom('0000-01-01', '2026-01-30', '2026-01-31', '2026-02-01', '9999-12-31')
const time = fc.constantFrom('00:00:00.000', '00:00:00.001', '12:30:00.000', '23:59:59.999')
const instant = fc.tuple(day, time).map(([date, at]) => `${date}T${at}Z`)
const amount = fc.constantFrom(0, 1, 10_000, 90_000, 100_000, 100_005, 9_007_199_254_740_990)
const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 3 })

const thingsOf = (text: Texts) =>
  fc.uniqueArray(
    fc.record<Thing>({
      id: fc.stringMatching(/^[a-cA-C]{1,2}$/),
      name: nullable(fc.oneof(text, text, fc.constant(''))),
      contract: nullable(fc.stringMatching(/^[a-bA-B%_\\K]{1,3}$/)),
      status: nullable(fc.constantFrom(...STATUSES)),
      owed: nullable(amount),
      due: nullable(instant),
      recurring: nullable(fc.constantFrom(0, 1)),
      created: instant,
    }),
    { selector: (thing) => thing.id, maxLength: 12, size: 'max' },
  )

const valuesOf = (text: Texts): Record<Type, Texts> => ({
  text,
  id: fc.oneof(text, fc.constantFrom('a', 'A', 'b', 'ab')),
  enum: fc.constantFrom(...STATUSES, 'active'),
  amount: fc.constantFrom('0', '0.0001', '1', '9.00', '10', '10.0005', '900719925474.0990'),
  date: fc.oneof(day, day, instant, fc.constant('2026-01-31T01:00:00+01:00')),
  flag: fc.constantFrom('Y', 'N'),
})

// Text has the most ways to go wrong.
const FIELD_NAMES = ['name', 'key', ...Object.keys(TYPES)]

const conditionOf = (text: Texts) =>
  fc.constantFrom(...FIELD_NAMES).chain((name): fc.Arbitrary<Condition> => {
    const { type } = typeOf(name)
    const value = valuesOf(text)[type]
    const field = fc.constant(name)
    const nullness = fc.record({ field, operator: fc.constantFrom('!' as const, '!!') })
    const values = fc.array(value, { minLength: 1, maxLength: 3 })
    const equality = fc.record({ field, operator: fc.constantFrom('=' as const, '!='), values })
    if (type === 'flag') return fc.oneof(nullness, equality)
    const bound = fc
      .record({ field, operator: fc.constantFrom('>=' as const, '>', '<=', '<'), value })
      .filter(({ operator, value: written }) => operator.length > 1 || !/^[=>]/.test(written))
    const operator = fc.constant('<>' as const)
    const between = fc.record({ field, operator, min: value, max: value })
    if (type === 'date' || type === 'amount') {
      return fc.oneof(nullness, equality, bound, bound, between)
    }
    const part = fc.record({ field, operator: fc.constant('~=' as const), value })
    return fc.oneof(nullness, equality, bound, between, part)
  })

const order = fc.uniqueArray(
  fc.record<OrderKey>({
    field: fc.constantFrom(...Object.keys(TYPES)),
    direction: fc.constantFrom('asc', 'desc'),
  }),
  { selector: (key) => key.field, minLength: 1, maxLength: 3 },
)

const example = await openExample()

describe('lists of random rows', () => {
  it('have the matching rows in the requested order', async () => {
    const run = texts.chain((text) =>
      fc.record({
        rows: thingsOf(text),
        asked: fc.array(fc.tuple(fc.array(conditionOf(text), { maxLength: 2 }), order), {
          minLength: 4,
          maxLength: 8,
        }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(run, async ({ rows, asked: queries }) => {
        await example.fill(rows)
        for (const [criteria, keys] of queries) {
          const found = rows.filter((row) => criteria.every((each) => meets(row, each)))
          const listed = await example.list({
            criteria: printCriteria(criteria),
            order: keys.map(({ field, direction }) => `${field}:${direction}`).join(),
          })
          expect(listed).toEqual(sorted(found, keys).map(({ id }) => id))
        }
      }),
      { numRuns: repetitions(70, 200) },
    )
  })
})
