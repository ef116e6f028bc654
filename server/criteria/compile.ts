import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { invalid } from '../errors.ts'
import { caselessValue, type Field, getField, sortedValue, storedValue } from './fields.ts'
import { foldText } from '../db/fold-text.ts'
import type { Condition, Operator } from './parse.ts'
import { parseValue, parseEnumValue, type ValueRange } from './values.ts'

type Test = RawBuilder<SqlBool>

const ALL_OPERATORS: readonly Operator[] = ['=', '!=', '~=', '>=', '>', '<=', '<', '<>', '!', '!!']
const RANGE_OPERATORS = ALL_OPERATORS.filter((operator) => operator !== '~=')
const OPERATORS: Record<Field['type'], readonly Operator[]> = {
  text: ALL_OPERATORS,
  id: ALL_OPERATORS,
  enum: ALL_OPERATORS,
  date: RANGE_OPERATORS,
  amount: RANGE_OPERATORS,
  flag: ['=', '!=', '!', '!!'],
}

/**
 * Returns an expression for `where` that is true for rows that meet all conditions. Values are bound
 * as parameters. Throws a 400 ApiError for an unknown field, an operator that the field's type does
 * not support, or an invalid value.
 */
export function compileCriteria(
  conditions: readonly Condition[],
  fields: Readonly<Record<string, Field>>,
): Test {
  if (conditions.length === 0) return sql`1 = 1`
  return joined(
    conditions.map((condition) =>
      compile(condition, getField(fields, condition.field, 'criteria')),
    ),
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
  if (field.type === 'enum' && !isNullness) return isEnumValue(condition, field)
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
          : // Unlike in SQL, a null is unequal to every value.
            sql`(${storedValue(field)} is null or not ${isOneOf(condition, field)})`
    case '~=':
      return contains(field, condition.value)
    case '<>': {
      const min = parseValue(name, field, condition.min)
      const max = parseValue(name, field, condition.max)
      return sql`(${sorted} >= ${min.first} and ${sorted} <= ${max.last})`
    }
    default: {
      const { first, last } = parseValue(name, field, condition.value)
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
  const spans = values.map((value) => parseValue(name, field, value))
  const exact = spans.filter(isExact).map((span) => span.first)
  const ranges = spans
    .filter((span) => !isExact(span))
    .map((span) => sql<SqlBool>`${sorted} between ${span.first} and ${span.last}`)
  const list = sql<SqlBool>`${sorted} in (${sql.join(exact)})`
  if (field.type === 'text' && field.folded !== undefined)
    return joined([isFoundIn(field.folded, values), list], 'and')
  return joined(exact.length > 0 ? [list, ...ranges] : ranges, 'or')
}

/** A condition that an index serves: true for every row with one of the texts, and a few others. */
function isFoundIn(folded: string, values: readonly string[]): Test {
  const keys = [...new Set(values.map(foldKey))]
  return sql`${sql.ref(folded)} in (${sql.join(keys)})`
}

function isExact({ first, last }: ValueRange): boolean {
  return first === last
}

/** Null counts as false. */
function isFlag({ field: name, operator, values }: Equality, field: Field): Test {
  const letters = new Set(values.map((value) => parseEnumValue(name, ['Y', 'N'], value)))
  const yes = letters.has('Y') === (operator === '=')
  const no = letters.has('N') === (operator === '=')
  const column: Expression<unknown> = storedValue(field)
  if (yes) return no ? sql`1 = 1` : sql`${column} = 1`
  return no ? sql`(${column} is null or ${column} = 0)` : sql`1 = 0`
}

/** Evaluates the condition on the enum's values, so that the query only lists the matching ones. */
function isEnumValue(condition: Condition, field: Field & { type: 'enum' }): Test {
  const { field: name, operator } = condition
  const stored = storedValue(field)
  if ('values' in condition) {
    const words = condition.values.map((value) => parseEnumValue(name, field.values, value))
    const isOne = sql<SqlBool>`${stored} in (${sql.join(words)})`
    return operator === '=' ? isOne : sql`(${stored} is null or not ${isOne})`
  }
  const words = field.values.filter((word) => meets(foldText(word), condition))
  return words.length === 0 ? sql`1 = 0` : sql`${stored} in (${sql.join(words)})`
}

function meets(folded: string, condition: Condition): boolean {
  if ('min' in condition)
    return folded >= foldText(condition.min) && folded <= foldText(condition.max)
  if (!('value' in condition)) return false
  const value = foldText(condition.value)
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
  const pattern = `%${foldText(value).replace(/[\\%_]/g, '\\$&')}%`
  return sql`${caselessValue(field)} like ${pattern} escape '\\'`
}

function joined(tests: readonly Test[], by: 'and' | 'or'): Test {
  return sql`(${sql.join(tests, by === 'and' ? sql` and ` : sql` or `)})`
}
