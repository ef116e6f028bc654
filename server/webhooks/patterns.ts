import { EVENT_TYPES } from '../events/event-types.ts'

/** Which events a webhook asks for: whole types, `payment_link.*`, or `*` (contract section 16). */

/** Whether one of the patterns is the type, or its kind, or everything. */
export function matchesEvent(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => covers(pattern, type))
}

/** Whether there is a type that the pattern is about. What is not so is a misspelling. */
export function isKnownPattern(pattern: string): boolean {
  return EVENT_TYPES.some((type) => covers(pattern, type))
}

function covers(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true
  // With its dot, or `payment.*` would be about payment_link too.
  return pattern.endsWith('.*') && pattern.slice(0, -1) === type.slice(0, type.indexOf('.') + 1)
}
