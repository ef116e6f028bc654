import { isDeepStrictEqual } from 'node:util'
import {
  type PaymentLinkChange,
  paymentLinkOptions,
  type PaymentLinkOptions,
  STATE_BYTES_MAX,
  type UpdateMode,
} from '../../shared/schemas/payment-link.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import { validationMessage } from '../http/validation-message.ts'
import { ApiError, invalid } from '../errors.ts'
import { urlTemplateError } from './url-template.ts'

/** What editing a link means (specification: PUT modes; contract sections 6.3 and 6.4). */

export interface LinkContent {
  /** Stored form of an instant, or null for never. */
  expires: string | null
  options: PaymentLinkOptions
  state: unknown
}

/** What the rules need to know of the instance. */
export interface LinkRules {
  defaultCurrency: string
  testMode: boolean
  /** The channels that the instance lists; an empty list allows any. */
  channels: readonly string[]
  now: number
}

/** The content of a link after a change, before its rules are checked. */
export function editLink(
  stored: LinkContent,
  change: PaymentLinkChange,
  mode: UpdateMode,
): LinkContent {
  return {
    expires: change.expires === undefined ? stored.expires : normalizeInstant(change.expires),
    options: editOptions(stored.options, change.options, mode),
    state: editState(stored.state, change.state, mode),
  }
}

function normalizeInstant(expires: string | null): string | null {
  const instant = expires === null ? undefined : parseInstant(expires)
  return instant === undefined ? null : formatInstant(instant)
}

function editOptions(
  stored: PaymentLinkOptions,
  given: PaymentLinkOptions | null | undefined,
  mode: UpdateMode,
): PaymentLinkOptions {
  if (given === undefined) return stored
  if (given === null) return {}
  // A null option means "not set", so replacing is merging into nothing.
  return mergePatch(mode === 'PATCH' ? stored : {}, given) as PaymentLinkOptions
}

function editState(stored: unknown, given: unknown, mode: UpdateMode): unknown {
  if (given === undefined) return stored
  return mode === 'PATCH' ? mergePatch(stored, given) : given
}

/**
 * RFC 7396: members of the patch replace, null removes, objects merge, arrays and scalars never.
 * Built from entries, because assigning a `__proto__` member would change the object's nature.
 */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else if (value !== undefined) merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Checks the result of an edit, so that a rule holds for the whole link however it came about.
 * Throws a ApiError that names the member. `expires` is checked only when the change names it: a
 * link that expired meanwhile may still have its state edited. So are `options` and `state`: what was
 * stored under older rules does not stand in the way of changing something else.
 */
export function validateLink(
  content: LinkContent,
  change: PaymentLinkChange,
  rules: LinkRules,
): void {
  if (change.expires != null && (parseInstant(change.expires) ?? 0) <= rules.now) {
    throw invalid('payment_link.expires', 'must be in the future')
  }
  if (change.options !== undefined) validateOptions(content.options, rules)
  if (change.state !== undefined) validateState(content.state)
}

function validateOptions(options: PaymentLinkOptions, rules: LinkRules): void {
  const parsed = paymentLinkOptions.safeParse(options)
  if (!parsed.success) {
    throw new ApiError('INVALID_REQUEST', `payment_link.options.${validationMessage(parsed.error)}`)
  }
  validateAmounts(options, rules.defaultCurrency)
  validateRedirectTargets(options, rules.testMode)
  validateChannel(options, rules.channels)
}

function validateAmounts(options: PaymentLinkOptions, defaultCurrency: string): void {
  const currency = options.currency ?? defaultCurrency
  const digits = currencyDigits(currency) ?? 2
  for (const member of ['amount', 'default_amount'] as const) {
    const value = options[member]
    if (value == null) continue
    const parsed = parseAmount(value, digits)
    if (parsed.ok) continue
    const rule =
      parsed.problem === 'DECIMALS' ? 'has too many decimal places for' : 'is too large for'
    throw invalid(`payment_link.options.${member}`, `${rule} ${currency}`)
  }
}

function validateRedirectTargets(options: PaymentLinkOptions, testMode: boolean): void {
  for (const member of ['success_url', 'pending_url'] as const) {
    const target = options[member]
    if (target == null) continue
    const problem = redirectTargetProblem(target, testMode) ?? urlTemplateError(target)
    if (problem) throw invalid(`payment_link.options.${member}`, problem)
  }
}

function validateChannel(options: PaymentLinkOptions, channels: readonly string[]): void {
  if (options.channel == null || channels.length === 0) return
  if (!channels.includes(options.channel)) {
    throw invalid('payment_link.options.channel', `must be ${channels.join(' or ')}`)
  }
}

function validateState(state: unknown): void {
  if (Buffer.byteLength(JSON.stringify(state ?? null), 'utf8') > STATE_BYTES_MAX) {
    throw invalid('payment_link.state', `must be at most ${STATE_BYTES_MAX} bytes as JSON`)
  }
}

/** Which members an edit really changed; order of members does not count as a change. */
export function changedMembers(before: LinkContent, after: LinkContent): (keyof LinkContent)[] {
  const members = ['expires', 'options', 'state'] as const
  return members.filter((member) => !isDeepStrictEqual(before[member], after[member]))
}
