import { z } from 'zod'
import { NO_CARD_NUMBER, NO_CARD_TOKEN } from '../../shared/schemas/common.ts'
import { memberPath } from './member-path.ts'

/**
 * Messages for invalid requests: the member in dotted form, then the rule. Schemas define their own
 * rules; these are the common ones.
 */

type Issue = z.core.$ZodIssue

/** Returns one sentence for the first problem of a parsed body or query. */
export function validationMessage(error: z.ZodError): string {
  const issue = deepest(error.issues[0] as Issue)
  if (issue.code === 'unrecognized_keys') {
    return `Unknown field ${memberPath([...issue.path, issue.keys[0] as string])}`
  }
  return `${memberPath(issue.path)} ${issue.message}`
}

const CARD_NUMBER_RULES: ReadonlySet<string> = new Set([NO_CARD_NUMBER.error, NO_CARD_TOKEN.error])

/** Returns whether the message is about a card number. */
export function isAboutCardNumber(error: z.ZodError): boolean {
  return CARD_NUMBER_RULES.has(deepest(error.issues[0] as Issue).message)
}

/**
 * Returns the most specific issue of a union: for an object, a misspelled member is more helpful
 * than "must be a string or an object".
 */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const branches = issue.errors.flatMap((errors) => errors.slice(0, 1)).map(deepest)
  const inside = branches.find((branch) => branch.path.length > 0 || isSpecific(branch))
  return inside ? { ...inside, path: [...issue.path, ...inside.path] } : issue
}

function isSpecific(issue: Issue): boolean {
  return issue.code !== 'invalid_type' && issue.code !== 'invalid_union'
}

const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

function typeName(expected: string): string {
  return NAMES[expected] ?? `a ${expected}`
}

/** Returns the types of the branches if the value has none of them. */
function typesOf(branches: readonly (readonly Issue[])[]): string[] {
  const types = branches.flatMap(([issue]) =>
    issue?.code === 'invalid_type' ? [typeName(issue.expected)] : [],
  )
  return [...new Set(types)]
}

function members(count: number | bigint): string {
  return Number(count) === 1 ? '1 member' : `${count} members`
}

/** Returns the message for a missing member. */
function absent(input: unknown): string {
  return input === undefined ? 'is required' : 'must not be null'
}

z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        if (issue.input == null) return absent(issue.input)
        return `must be ${typeName(issue.expected)}`
      case 'too_small':
        if (issue.origin === 'array') return `must have at least ${members(issue.minimum)}`
        if (issue.origin !== 'string') {
          return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
        }
        if (issue.minimum === 1) return 'must not be empty'
        return `must be at least ${issue.minimum} characters`
      case 'too_big':
        if (issue.origin === 'array') return `must have at most ${members(issue.maximum)}`
        if (issue.origin === 'string') return `must be at most ${issue.maximum} characters`
        return `must be at most ${issue.maximum}`
      case 'invalid_value':
        if (issue.input === undefined) return absent(issue.input)
        return `must be ${issue.values.map(String).join(' or ')}`
      case 'invalid_key':
        return issue.issues[0]?.message
      case 'invalid_union':
        if (issue.input == null) return absent(issue.input)
        return `must be ${typesOf(issue.errors).join(' or ')}`
      case 'invalid_format':
        return 'has a form that is not allowed here'
      default:
        return undefined
    }
  },
})
