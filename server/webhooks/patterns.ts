import { EVENT_TYPES } from '../events/event-types.ts'

/** A pattern is an event type, all types of a resource such as `payment_link.*`, or `*`. */
export function matchesEvent(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => covers(pattern, type))
}

/** Returns false for a misspelled pattern, which matches no event type. */
export function isKnownPattern(pattern: string): boolean {
  return EVENT_TYPES.some((type) => covers(pattern, type))
}

function covers(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true
  // Compare with the dot: `payment.*` does not match payment_link.
  return pattern.endsWith('.*') && pattern.slice(0, -1) === type.slice(0, type.indexOf('.') + 1)
}
