import { invalid } from '../errors.ts'

export type Condition =
  | { field: string; operator: '!' | '!!' }
  | { field: string; operator: '=' | '!='; values: readonly string[] }
  | { field: string; operator: '~=' | '>=' | '<=' | '>' | '<'; value: string }
  | { field: string; operator: '<>'; min: string; max: string }

export type Operator = Condition['operator']

const CONDITIONS_MAX = 50
const VALUES_MAX = 200
/** Conditions with `~=`, which no index serves. */
const PARTIAL_MAX = 5
/** SQLite allows patterns of 50 000 bytes; a character has up to three. */
const CHARACTERS_MAX = 16_000

/**
 * Parses comma-separated conditions into unescaped values, without knowing the fields. Throws a 400
 * ApiError that names the field.
 */
export function parseCriteria(text: string): Condition[] {
  if (text.length > CHARACTERS_MAX) {
    throw invalid('criteria', `must be at most ${CHARACTERS_MAX} characters`)
  }
  // PostgreSQL rejects NUL; SQLite accepts it.
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
// Longest operators first.
const CONDITION = /^([\w.]+)(!!|!=|~=|>=|<=|<>|=|>|<|!)(.*)$/s

function parseCondition(text: string): Condition {
  if (text === '') {
    throw invalid('criteria', 'has an empty condition; escape a comma in a value as \\,')
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
  return withValues(field, operator, parseValues(field, operand))
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

function parseValues(field: string, operand: string): string[] {
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

/** Splits at unescaped separators. The parts keep their backslashes. */
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
