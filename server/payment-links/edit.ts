import { isDeepStrictEqual } from 'node:util'
import type { Instance } from '../db/tables/instances.ts'
import {
  type PaymentLinkChange,
  paymentLinkOptions,
  type PaymentLinkOptions,
  STATE_BYTES_MAX,
  type UpdateMode,
} from '../../shared/schemas/payment-link.ts'
import { REDIRECT_PARAMETERS } from '../../shared/rules/after-payment.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import { validationMessage } from '../http/validation-message.ts'
import { ApiError, invalid } from '../errors.ts'
import { brandingsOf } from '../instances/brandings.ts'
import { hasEnded } from './payability.ts'
import { validateAmounts } from './amount-rules.ts'
import type { LinkContent } from './content.ts'

export interface LinkRules {
  defaultCurrency: string
  testMode: boolean
  /** Channels of the instance's brandings; an empty list allows any channel. */
  channels: readonly string[]
  /** Epoch milliseconds. */
  now: number
}

export function linkRules(instance: Instance, now: number): LinkRules {
  return {
    defaultCurrency: instance.default_currency,
    testMode: instance.mode === 'TEST',
    channels: brandingsOf(instance).flatMap(({ channels }) => channels),
    now,
  }
}

/** Returns the content of a link after a change. Does not validate it. */
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
  change: PaymentLinkOptions | null | undefined,
  mode: UpdateMode,
): PaymentLinkOptions {
  if (change === undefined) return stored
  if (change === null) return {}
  // A null option means "not set", so REPLACE merges into an empty object.
  return mergePatch(mode === 'PATCH' ? stored : {}, change) as PaymentLinkOptions
}

function editState(stored: unknown, change: unknown, mode: UpdateMode): unknown {
  if (change === undefined) return stored
  return mode === 'PATCH' ? mergePatch(stored, change) : change
}

/**
 * RFC 7396 JSON Merge Patch. Builds the result from entries, because assigning a `__proto__` member
 * would set the object's prototype.
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
 * Throws an ApiError that names the invalid member of an edited link. Checks only the members that
 * the change names: an expired link, or one stored under older rules, can still be edited otherwise.
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
  validateCharges(options)
  validateRecurring(options, rules.now)
  validateRedirectTargets(options, rules.testMode)
  validateChannel(options, rules.channels)
}

/** Options of amounts, which the sum of charges replaces. */
const OF_AMOUNTS = [
  'amount',
  'default_amount',
  'amount_min',
  'amount_max',
  'amount_presets',
  'unit_amount',
  'quantity_max',
] as const

function validateCharges(options: PaymentLinkOptions): void {
  if (options.charges == null) return
  const excluded = OF_AMOUNTS.find((member) => options[member] != null)
  if (excluded) {
    throw invalid(
      `payment_link.options.${excluded}`,
      'must not be given beside charges, whose sum is the amount',
    )
  }
}

function validateRecurring(
  { recurring, charges, save_card }: PaymentLinkOptions,
  now: number,
): void {
  if (recurring == null) return
  if (charges != null) {
    throw invalid('payment_link.options.recurring', 'must not be given beside charges')
  }
  if (save_card === false) {
    throw invalid(
      'payment_link.options.save_card',
      'must not be false beside recurring, which saves the method',
    )
  }
  if (hasEnded(recurring, now)) {
    const rule =
      recurring.trial_days == null
        ? 'must be in the future'
        : 'must be later than the end of trial_days'
    throw invalid('payment_link.options.recurring.until', rule)
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

// Encoded braces count only around a name, because a URL may carry JSON.
const TEMPLATE = /[{}]|%7b\w+%7d/i

/**
 * Returns an error for a redirect target with a placeholder such as `{CHECKOUT_SESSION_ID}`, or null.
 * Checkstand fills in no placeholders.
 */
function urlTemplateError(target: string): string | null {
  if (!TEMPLATE.test(target)) return null
  const appended = REDIRECT_PARAMETERS.join(', ')
  return `must not contain a placeholder in braces: nothing is filled in, and ${appended} are appended as query parameters`
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

/** Returns the members whose value differs. The order of keys inside a value does not count. */
export function changedMembers(before: LinkContent, after: LinkContent): (keyof LinkContent)[] {
  const members = ['expires', 'options', 'state'] as const
  return members.filter((member) => !isDeepStrictEqual(before[member], after[member]))
}
