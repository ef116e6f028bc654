import { type Expression, sql } from 'kysely'
import { AMOUNT_LENGTH_MAX, type AmountErrorCode, parseAmount } from '../../shared/rules/money.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import { invalid } from '../errors.ts'
import type { Field } from './fields.ts'
import { foldText } from '../db/fold-text.ts'

/** An inclusive range of values. */
export interface ValueRange {
  first: Expression<unknown>
  last: Expression<unknown>
}

/**
 * Parses a value by the type of its field, comparable with `sortedValue`. A date without a time is
 * the range of a day. Throws a 400 ApiError that names the field.
 */
export function parseValue(name: string, field: Field, value: string): ValueRange {
  switch (field.type) {
    case 'date':
      return parseDate(name, value)
    case 'amount':
      return single(sql`${parseCriteriaAmount(name, field.decimals, value)}`)
    case 'text':
      return single(sql`${foldText(value)}`)
    default:
      return single(sql`${value}`)
  }
}

/** Matches a value of an enum in any case. Returns it as stored. Throws a 400 ApiError. */
export function parseEnumValue(name: string, values: readonly string[], value: string): string {
  const upper = value.toUpperCase()
  const match = values.find((candidate) => candidate.toUpperCase() === upper)
  if (match === undefined) throw invalid('criteria', `${name} must be ${values.join(' or ')}`)
  return match
}

function single(only: Expression<unknown>): ValueRange {
  return { first: only, last: only }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

function parseDate(name: string, value: string): ValueRange {
  const isDay = DAY.test(value)
  const first = parseInstant(isDay ? `${value}T00:00:00Z` : value)
  if (first === undefined) {
    // An unescaped + in "+01:00" arrives as a space.
    const hint =
      value.includes('T') && / \d\d:\d\d$/.test(value) ? '; a + in it must be sent as %2B' : ''
    const forms = 'a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z'
    throw invalid('criteria', `${name} must be ${forms}${hint}`)
  }
  if (!isDay) return single(sql`${formatInstant(first)}`)
  // The last millisecond of the day. The start of the next day would overflow in year 9999.
  return { first: sql`${formatInstant(first)}`, last: sql`${formatInstant(first + DAY_MS - 1)}` }
}

function parseCriteriaAmount(name: string, decimals: number, value: string): number {
  const parsed = parseAmount(value, decimals)
  if (parsed.ok) return parsed.minor
  const rules: Record<AmountErrorCode, string> = {
    TOO_LONG: `must be at most ${AMOUNT_LENGTH_MAX} characters`,
    FORMAT: 'must be an amount such as 10.50',
    DECIMALS: `has more than ${decimals} decimal places`,
    TOO_LARGE: 'is larger than any amount',
  }
  throw invalid('criteria', `${name} ${rules[parsed.problem]}`)
}
