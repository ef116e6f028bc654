type Value = string | number | boolean | Date

/** What a field must be. Several members must all hold. */
export interface Condition {
  /** Any other value, null included. */
  not?: Value | readonly Value[] | null
  /** A part of the text. */
  contains?: string
  /** At least. */
  from?: Value
  /** At most. */
  to?: Value
  above?: Value
  below?: Value
}

/** Conditions by field, which must all hold: a value, one of several, null, or a `Condition`. */
export type Where<Field extends string> = {
  readonly [F in Field]?: Value | readonly Value[] | Condition | null
}

/**
 * Writes conditions as the parameter `criteria`. A text that is criteria already stays as it is. Throws a
 * TypeError for a member that is no condition.
 */
export function criteriaText<Field extends string>(
  where: Where<Field> | string | undefined,
): string {
  if (typeof where !== 'object') return where ?? ''
  return Object.entries(where as Where<string>)
    .flatMap(([field, wanted]) => (wanted === undefined ? [] : conditions(field, wanted)))
    .join(',')
}

const OPERATORS: Readonly<Record<keyof Omit<Condition, 'not'>, string>> = {
  contains: '~=',
  from: '>=',
  to: '<=',
  above: '>',
  below: '<',
}

function conditions(field: string, wanted: NonNullable<Where<string>[string]> | null): string[] {
  if (wanted === null) return [`${field}!`]
  if (!isCondition(wanted)) return [`${field}=${values(wanted)}`]
  return Object.entries(wanted).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (name === 'not') return [value === null ? `${field}!!` : `${field}!=${values(value)}`]
    if (!Object.hasOwn(OPERATORS, name)) throw new TypeError(`${field} has no condition ${name}`)
    return [`${field}${OPERATORS[name as 'from']}${values(value)}`]
  })
}

function isCondition(wanted: Value | readonly Value[] | Condition): wanted is Condition {
  return typeof wanted === 'object' && !Array.isArray(wanted) && !(wanted instanceof Date)
}

const values = (value: Value | readonly Value[]): string => [value].flat().map(valueText).join(';')

function valueText(value: Value): string {
  if (typeof value === 'boolean') return value ? 'Y' : 'N'
  const text = value instanceof Date ? value.toISOString() : String(value)
  return text.replace(/[\\,;]/g, '\\$&')
}
