import { containsCardNumber, withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type {
  DeclineCode,
  MethodDetails,
  PaymentCapability,
  ProcessorFees,
  ProcessorResponse,
  RetryAdvice,
  StoredMethod,
  ThreeDs,
} from '../processors/port.ts'

/**
 * Validates processor responses, without trusting the types of an adapter. The status is accepted or
 * rejected as a whole; optional fields are kept only when valid, and never block the outcome.
 */

const CODES: ReadonlySet<unknown> = new Set<DeclineCode>([
  'DECLINED',
  'INSUFFICIENT_FUNDS',
  'EXPIRED_CARD',
  'WRONG_SECURITY_CODE',
  'INVALID_METHOD',
  'AUTHENTICATION_FAILED',
  'AUTHENTICATION_REQUIRED',
  'CANCELLED',
])
const THREE_DS: ReadonlySet<unknown> = new Set<ThreeDs>([
  'NONE',
  'FRICTIONLESS',
  'CHALLENGED',
  'FAILED',
])

const RETRY: ReadonlySet<unknown> = new Set<RetryAdvice>(['NEVER', 'LATER', 'WITH_PAYER'])

const CAPABILITIES: ReadonlySet<unknown> = new Set<PaymentCapability>([
  'refund',
  'partial_refund',
  'multiple_refunds',
  'partial_capture',
  'multiple_captures',
  'void',
])

/** Limit and default of `check_after_ms`. */
const WAIT_MAX_MS = 30 * 86_400_000
const WAIT_MS = 60_000

type Members = Record<string, unknown>

/**
 * Returns false for a response without a valid status or without a required field: an approval without
 * a reference could never be refunded. The caller treats it as UNKNOWN and queries the processor.
 */
export function isProcessorResponse(response: unknown): response is ProcessorResponse {
  if (!isObject(response)) return false
  switch (response['status']) {
    case 'APPROVED':
    case 'PENDING':
      return parseText(response['reference']) !== undefined
    case 'ACTION':
      return (
        parseText(response['reference']) !== undefined && parseText(response['url']) !== undefined
      )
    case 'DECLINED':
      return CODES.has(response['code'])
    case 'ERROR':
    case 'UNKNOWN':
      return true
    default:
      return false
  }
}

export interface SanitizedResponse {
  response: ProcessorResponse
  /** Names of fields that were dropped or changed. */
  invalidFields: string[]
}

/** Returns a response that can be stored: without its invalid optional fields. */
export function sanitizeResponse(received: ProcessorResponse): SanitizedResponse {
  const invalidFields: string[] = []
  const members = received as unknown as Members
  const read = <T>(name: string, parse: (value: unknown) => T | undefined): T | undefined => {
    const value = members[name]
    if (value === undefined || value === null) return undefined
    const kept = parse(value)
    if (!isSame(value, kept)) invalidFields.push(name)
    return kept
  }
  return { response: toResponse(received, read), invalidFields }
}

type Read = <T>(name: string, parse: (value: unknown) => T | undefined) => T | undefined

function toResponse(received: ProcessorResponse, read: Read): ProcessorResponse {
  const method = optional('method', read('method', parseMethod))
  // `isProcessorResponse` has checked the required fields.
  const reference = read('reference', parseText) as string
  switch (received.status) {
    case 'APPROVED':
      return {
        status: 'APPROVED',
        reference,
        ...method,
        ...optional('stored', read('stored', parseStored)),
        ...optional('three_ds', read('three_ds', parseThreeDs)),
        ...optional('authorised_until', storedTime(read('authorised_until', parseDateTime))),
        ...optional('unsupported', read('unsupported', parseCapabilities)),
        ...optional('fees', read('fees', parseFees)),
        ...optional('review', read('review', parseFlag)),
        ...optional('liability_shift', read('liability_shift', parseFlag)),
      }
    case 'DECLINED':
      return {
        status: 'DECLINED',
        reference: reference ?? null,
        code: received.code,
        message: read('message', parseMessage) ?? '',
        ...method,
        ...optional('three_ds', read('three_ds', parseThreeDs)),
        ...optional('retry', read('retry', parseRetry)),
      }
    case 'PENDING': {
      const check_after_ms = read('check_after_ms', parseWait) ?? WAIT_MS
      const message = optional('message', read('message', parseMessage))
      return { status: 'PENDING', reference, ...method, check_after_ms, ...message }
    }
    case 'ACTION':
      return {
        status: 'ACTION',
        reference,
        url: read('url', parseText) as string,
        ...method,
        ...optional('expires', storedTime(read('expires', parseDateTime))),
      }
    case 'ERROR':
      return { status: 'ERROR', message: read('message', parseMessage) ?? '' }
    case 'UNKNOWN':
      return { status: 'UNKNOWN' }
  }
}

/** Returns an object with the field, or without it when the value is undefined. */
function optional<Name extends string, T>(name: Name, value: T | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: T }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

function isSame(value: unknown, kept: unknown): boolean {
  // Lists are only filtered.
  if (Array.isArray(value) && Array.isArray(kept)) return value.length === kept.length
  if (!isObject(value) || !isObject(kept)) return value === kept
  return Object.entries(kept).every(([name, member]) => member === (value[name] ?? null))
}

/** Removes NUL, which PostgreSQL cannot store. Returns undefined for an empty text. */
function parseText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replaceAll('\0', '') : ''
  return text === '' ? undefined : text
}

const MESSAGE_LENGTH_MAX = 1000

/** Limits the length and removes card numbers: a message may repeat what the payer typed. */
function parseMessage(value: unknown): string | undefined {
  const text = parseText(value)
  return text && withoutCardNumbers(text.slice(0, MESSAGE_LENGTH_MAX))
}

const DETAIL_LENGTH_MAX = 64

/** Returns null for a text that is too long or contains a card number. */
function parseDetail(value: unknown): string | null {
  const text = parseText(value)
  if (text === undefined || text.length > DETAIL_LENGTH_MAX || containsCardNumber(text)) return null
  return text
}

/** Returns null for more than four digits: PCI DSS allows to show no more. */
function parseLast4(value: unknown): string | null {
  const text = parseText(value)
  return text !== undefined && text.length <= 4 ? text : null
}

function parseNumber(value: unknown, max: number): number | null {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= max
    ? (value as number)
    : null
}

function parseMethod(value: unknown): MethodDetails | undefined {
  if (!isObject(value)) return undefined
  return {
    type: parseDetail(value['type']) ?? '',
    brand: parseDetail(value['brand']),
    last4: parseLast4(value['last4']),
    exp_month: parseNumber(value['exp_month'], 12),
    exp_year: parseNumber(value['exp_year'], 9999),
    funding: parseDetail(value['funding']),
    country: parseDetail(value['country']),
  }
}

/** Token and fingerprint are required: one to charge the method, one to recognize it. */
function parseStored(value: unknown): StoredMethod | undefined {
  if (!isObject(value)) return undefined
  const token = parseText(value['token'])
  const fingerprint = parseText(value['fingerprint'])
  if (token === undefined || fingerprint === undefined) return undefined
  return { token, fingerprint, ...optional('method', parseMethod(value['method'])) }
}

function parseThreeDs(value: unknown): ThreeDs | undefined {
  return THREE_DS.has(value) ? (value as ThreeDs) : undefined
}

function parseRetry(value: unknown): RetryAdvice | undefined {
  return RETRY.has(value) ? (value as RetryAdvice) : undefined
}

function parseFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** Ignores capabilities that this version does not know. */
function parseCapabilities(value: unknown): PaymentCapability[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((name): name is PaymentCapability => CAPABILITIES.has(name))
}

/** In a currency that has a number of decimals. */
function parseFees(value: unknown): ProcessorFees | undefined {
  if (!isObject(value)) return undefined
  const { fee, net, currency } = value
  if (!Number.isSafeInteger(fee) || !Number.isSafeInteger(net)) return undefined
  if (typeof currency !== 'string' || currencyDigits(currency) === undefined) return undefined
  return { fee: fee as number, net: net as number, currency }
}

function parseDateTime(value: unknown): string | undefined {
  return typeof value === 'string' && parseInstant(value) !== undefined ? value : undefined
}

/** In the stored format, because times are compared as text. */
function storedTime(time: string | undefined): string | undefined {
  const ms = time === undefined ? undefined : parseInstant(time)
  return ms === undefined ? undefined : formatInstant(ms)
}

function parseWait(value: unknown): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value) || value < 0) return undefined
  return Math.min(value, WAIT_MAX_MS)
}
