import { containsCardNumber } from '../../shared/rules/card-in-text.ts'

const NAME_LENGTH_MAX = 64

/**
 * Returns the dotted path of a member of a body, such as `strings.3.text`; `body` for the body
 * itself.
 */
export function memberPath(steps: readonly PropertyKey[]): string {
  return steps.map(memberName).join('.') || 'body'
}

/** Returns a name without card numbers, shortened if long. */
export function memberName(step: PropertyKey): string {
  const name = String(step)
  if (containsCardNumber(name)) return '[card number]'
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name
}
