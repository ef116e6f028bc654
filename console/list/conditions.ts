/** A condition of criteria, as the filters show it. */
export interface Condition {
  field: string
  operator: '=' | '!=' | '~=' | '>=' | '<=' | '>' | '<' | '<>' | '!' | '!!'
  /** Unescaped. */
  values: readonly string[]
}

const CONDITION = /^([\w.]+)(!!|!=|~=|>=|<=|<>|=|>|<|!)(.*)$/s

/**
 * Parses criteria for the filters. Returns what cannot be parsed as text, so that an address with
 * unknown criteria still works.
 */
export function parseConditions(criteria: string): (Condition | string)[] {
  return split(criteria, ',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, field, operator, operand = ''] = CONDITION.exec(part) ?? []
      if (field === undefined || operator === undefined) return part
      const values = operand === '' ? [] : split(operand, ';').map(unescaped)
      return { field, operator: operator as Condition['operator'], values }
    })
}

/** Prints conditions as criteria of the API. */
export function printConditions(conditions: readonly (Condition | string)[]): string {
  return conditions
    .map((one) =>
      typeof one === 'string'
        ? one
        : `${one.field}${one.operator}${one.values.map((value) => value.replace(/[\\,;]/g, '\\$&')).join(';')}`,
    )
    .join(',')
}

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

const unescaped = (text: string): string => text.replace(/\\([,;\\])/g, '$1')
