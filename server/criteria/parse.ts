import { invalid } from '../errors.ts'

/**
 * The text of `criteria`, as conditions. Nothing here knows which fields a resource has or what
 * their values mean (specification: Common conventions for list endpoints; contract 15.1).
 */

export type Condition =
  | { field: string; operator: '!' | '!!' }
  | { field: string; operator: '=' | '!='; values: readonly string[] }
  | { field: string; operator: '~=' | '>=' | '<=' | '>' | '<'; value: string }
  | { field: string; operator: '<>'; min: string; max: string }

export type Operator = Condition['operator']

const CONDITIONS_MAX = 50
const VALUES_MAX = 200
/** Of those that no index helps with, so that each of them reads every row. */
const PARTIAL_MAX = 5
/** Below what SQLite takes as a pattern: 50 000 bytes, at three bytes for each of these. */
const CHARACTERS_MAX = 16_000

/**
 * Reads comma-separated conditions, all of which must hold; an empty text has none. Values come
 * out unescaped and are otherwise as sent. Throws a 400 ApiError that names the field
 * (contract section 15.1).
 */
export function parseCriteria(text: string): Condition[] {
  if (text.length > CHARACTERS_MAX) {
    throw invalid('criteria', `must be at most ${CHARACTERS_MAX} characters`)
  }
  // PostgreSQL stores no such character and fails where SQLite finds nothing.
  if (text.includes('\0')) throw invalid('criteria', 'must not contain the character NUL')
  if (text.trim() === '') return []
  const conditions = split(text, ',').map((part) => parseCondition(part.trim()))
  if (conditions.length > CONDITIONS_MAX) {
    throw invalid('criteria', `must have at most ${CONDITIONS_MAX} conditions`)
  }
  const partial = conditions.filter(({ operator }) => operator === '~=')
  if (partial.length > PARTIAL_MAX) {
    throw invalid('criteria', `must have at most ${PARTIAL_MAX} conditions with ~=`)
  }
  const values = conditions.flatMap((condition) => ('values' in condition ? condition.values : []))
  if (values.length > VALUES_MAX) {
    throw invalid('criteria', `must have at most ${VALUES_MAX} values`)
  }
  return conditions
}

const PREFIX = /^(!!?)([\w.]+)$/
// Longest operator first, or `!=` would be read as null with something left over.
const CONDITION = /^([\w.]+)(!!|!=|~=|>=|<=|<>|=|>|<|!)(.*)$/s

function parseCondition(text: string): Condition {
  if (text === '') {
    throw invalid('criteria', 'has an empty condition: a comma too many, or one to write as \\,')
  }
  const prefix = PREFIX.exec(text)
  if (prefix) return { field: prefix[2] as string, operator: prefix[1] as '!' | '!!' }
  const match = CONDITION.exec(text)
  if (!match) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
    throw invalid('criteria', `must be conditions such as email=ada@example.com, not ${shown}`)
  }
  const [field, operator, operand] = match.slice(1) as [string, Operator, string]
  if (operator === '!' || operator === '!!') {
    if (operand !== '') throw invalid('criteria', `${field}${operator} takes no value`)
    return { field, operator }
  }
  return withValues(field, operator, readValues(field, operand))
}

function withValues(
  field: string,
  operator: Exclude<Operator, '!' | '!!'>,
  values: readonly string[],
): Condition {
  if (operator === '=' || operator === '!=') return { field, operator, values }
  const [first, second] = values as [string, string?]
  if (operator === '<>') {
    if (second === undefined || values.length > 2) {
      throw invalid('criteria', `${field}<> needs two values: ${field}<>lowest;highest`)
    }
    return { field, operator, min: first, max: second }
  }
  if (values.length > 1) {
    throw invalid('criteria', `${field}${operator} takes one value; a semicolon in it is \\;`)
  }
  return { field, operator, value: first }
}

function readValues(field: string, operand: string): string[] {
  return split(operand, ';').map((part) => {
    if (part === '') {
      throw invalid('criteria', `${field} has an empty value: use ${field}! for null`)
    }
    if (part.replace(/\\[,;\\]/g, '').includes('\\')) {
      throw invalid('criteria', `${field} has a backslash that does not escape , ; or \\`)
    }
    return part.replace(/\\([,;\\])/g, '$1')
  })
}

/** Cuts at each separator without a backslash before it. The parts keep their backslashes. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === separator) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
