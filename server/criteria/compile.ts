import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { invalid } from '../errors.ts'
import {
  caselessValue,
  type Field,
  fieldOf,
  type Fields,
  sortedValue,
  storedValue,
} from './fields.ts'
import { fold } from '../db/fold-text.ts'
import type { Condition, Operator } from './parse.ts'
import { readValue, readWord, type Span } from './values.ts'

type Test = RawBuilder<SqlBool>

const EVERYTHING: readonly Operator[] = ['=', '!=', '~=', '>=', '>', '<=', '<', '<>', '!', '!!']
const RANGES = EVERYTHING.filter((operator) => operator !== '~=')
const OPERATORS: Record<Field['type'], readonly Operator[]> = {
  text: EVERYTHING,
  id: EVERYTHING,
  enum: EVERYTHING,
  date: RANGES,
  amount: RANGES,
  flag: ['=', '!=', '!', '!!'],
}

/**
 * The conditions as one expression for `where`, true for the rows that meet all of them. Whatever
 * was sent is bound, never written into the text. Throws a 400 ApiError for an unknown field, an
 * operator that its type does not take, or a value that does not read (contract section 15.1).
 */
export function compileCriteria(conditions: readonly Condition[], fields: Fields): Test {
  if (conditions.length === 0) return sql`1 = 1`
  return joined(
    conditions.map((condition) => compile(condition, fieldOf(fields, condition.field, 'criteria'))),
    'and',
  )
}

function compile(condition: Condition, field: Field): Test {
  const { field: name, operator } = condition
  const allowed = OPERATORS[field.type]
  if (!allowed.includes(operator)) {
    throw invalid('criteria', `${name} does not take ${operator}, only ${allowed.join(' ')}`)
  }
  const sorted = sortedValue(field)
  const isNullness = operator === '!' || operator === '!!'
  if (field.type === 'enum' && !isNullness) return isWordOf(condition, field)
  switch (condition.operator) {
    case '!':
      return sql`${storedValue(field)} is null`
    case '!!':
      return sql`${storedValue(field)} is not null`
    case '=':
    case '!=':
      return field.type === 'flag'
        ? isFlag(condition, field)
        : operator === '='
          ? isOneOf(condition, field)
          : // In SQL a null is neither equal nor unequal, but it is none of the values.
            sql`(${storedValue(field)} is null or not ${isOneOf(condition, field)})`
    case '~=':
      return contains(field, condition.value)
    case '<>': {
      const min = readValue(name, field, condition.min)
      const max = readValue(name, field, condition.max)
      return sql`(${sorted} >= ${min.first} and ${sorted} <= ${max.last})`
    }
    default: {
      const { first, last } = readValue(name, field, condition.value)
      if (operator === '>=') return sql`${sorted} >= ${first}`
      if (operator === '>') return sql`${sorted} > ${last}`
      if (operator === '<=') return sql`${sorted} <= ${last}`
      return sql`${sorted} < ${first}`
    }
  }
}

type Equality = Extract<Condition, { values: readonly string[] }>

function isOneOf({ field: name, values }: Equality, field: Field): Test {
  const sorted = sortedValue(field)
  const spans = values.map((value) => readValue(name, field, value))
  // One look at the row for all exact values.
  const exact = spans.filter(isExact).map((span) => span.first)
  const ranges = spans
    .filter((span) => !isExact(span))
    .map((span) => sql<SqlBool>`${sorted} between ${span.first} and ${span.last}`)
  const list = sql<SqlBool>`${sorted} in (${sql.join(exact)})`
  if (field.type === 'text' && field.folded !== undefined)
    return joined([isFoundIn(field.folded, values), list], 'and')
  return joined(exact.length > 0 ? [list, ...ranges] : ranges, 'or')
}

/** What an index can answer: true for every row that has one of the texts, and few others. */
function isFoundIn(folded: string, values: readonly string[]): Test {
  const keys = [...new Set(values.map(foldKey))]
  return sql`${sql.ref(folded)} in (${sql.join(keys)})`
}

function isExact({ first, last }: Span): boolean {
  return first === last
}

/** False may be stored as null, so whatever is not true counts as N. */
function isFlag({ field: name, operator, values }: Equality, field: Field): Test {
  const letters = new Set(values.map((value) => readWord(name, ['Y', 'N'], value)))
  const yes = letters.has('Y') === (operator === '=')
  const no = letters.has('N') === (operator === '=')
  const column: Expression<unknown> = storedValue(field)
  if (yes) return no ? sql`1 = 1` : sql`${column} = 1`
  return no ? sql`(${column} is null or ${column} = 0)` : sql`1 = 0`
}

/** A word is looked at here and not in every row: what remains is which of them a row may have. */
function isWordOf(condition: Condition, field: Field & { type: 'enum' }): Test {
  const { field: name, operator } = condition
  const stored = storedValue(field)
  if ('values' in condition) {
    const words = condition.values.map((value) => readWord(name, field.values, value))
    const isOne = sql<SqlBool>`${stored} in (${sql.join(words)})`
    return operator === '=' ? isOne : sql`(${stored} is null or not ${isOne})`
  }
  const words = field.values.filter((word) => meets(fold(word), condition))
  return words.length === 0 ? sql`1 = 0` : sql`${stored} in (${sql.join(words)})`
}

function meets(folded: string, condition: Condition): boolean {
  if ('min' in condition) return folded >= fold(condition.min) && folded <= fold(condition.max)
  if (!('value' in condition)) return false
  const value = fold(condition.value)
  switch (condition.operator) {
    case '~=':
      return folded.includes(value)
    case '>=':
      return folded >= value
    case '>':
      return folded > value
    case '<=':
      return folded <= value
    case '<':
      return folded < value
  }
}

function contains(field: Field, value: string): Test {
  const pattern = `%${fold(value).replace(/[\\%_]/g, '\\$&')}%`
  return sql`${caselessValue(field)} like ${pattern} escape '\\'`
}

function joined(tests: readonly Test[], by: 'and' | 'or'): Test {
  return sql`(${sql.join(tests, by === 'and' ? sql` and ` : sql` or `)})`
}
