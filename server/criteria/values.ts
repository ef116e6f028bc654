import { type Expression, sql } from 'kysely'
import { AMOUNT_LENGTH_MAX, type AmountProblem, parseAmount } from '../../shared/rules/money.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import { invalid } from '../errors.ts'
import type { Field } from './fields.ts'
import { fold } from '../db/fold-text.ts'

/** What a value in the criteria stands for: from the first to the last, both included. */
export interface Span {
  first: Expression<unknown>
  last: Expression<unknown>
}

/**
 * Reads one value by the type of its field, comparable with `sortedValue`. Only a date without a
 * time spans more than one value. Throws a 400 ApiError that names the field (contract 15.1).
 */
export function readValue(name: string, field: Field, value: string): Span {
  switch (field.type) {
    case 'date':
      return readDate(name, value)
    case 'amount':
      return single(sql`${readAmount(name, field.decimals, value)}`)
    case 'text':
      return single(sql`${fold(value)}`)
    default:
      return single(sql`${value}`)
  }
}

/** One of the words of an enum, in whatever case it was sent, as it is stored. */
export function readWord(name: string, words: readonly string[], value: string): string {
  const upper = value.toUpperCase()
  const word = words.find((candidate) => candidate.toUpperCase() === upper)
  if (word === undefined) throw invalid('criteria', `${name} must be ${words.join(' or ')}`)
  return word
}

function single(only: Expression<unknown>): Span {
  return { first: only, last: only }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

function readDate(name: string, value: string): Span {
  const isDay = DAY.test(value)
  const first = parseInstant(isDay ? `${value}T00:00:00Z` : value)
  if (first === undefined) {
    // What is left of "+01:00" when nobody wrote the plus as %2B.
    const hint =
      value.includes('T') && / \d\d:\d\d$/.test(value) ? '; a + in it must be sent as %2B' : ''
    const forms = 'a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z'
    throw invalid('criteria', `${name} must be ${forms}${hint}`)
  }
  if (!isDay) return single(sql`${formatInstant(first)}`)
  // The day's last millisecond, since the day after the last one of year 9999 sorts before it.
  return { first: sql`${formatInstant(first)}`, last: sql`${formatInstant(first + DAY_MS - 1)}` }
}

function readAmount(name: string, decimals: number, value: string): number {
  const parsed = parseAmount(value, decimals)
  if (parsed.ok) return parsed.minor
  const rules: Record<AmountProblem, string> = {
    TOO_LONG: `must be at most ${AMOUNT_LENGTH_MAX} characters`,
    FORMAT: 'must be an amount such as 10.50',
    DECIMALS: `has more than ${decimals} decimal places`,
    TOO_LARGE: 'is larger than any amount',
  }
  throw invalid('criteria', `${name} ${rules[parsed.problem]}`)
}
