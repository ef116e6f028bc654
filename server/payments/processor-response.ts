import { holdsCardNumber, withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type {
  DeclineCode,
  MethodDetails,
  PaymentCapability,
  ProcessorResponse,
  StoredMethod,
  ThreeDs,
} from '../processors/port.ts'

/**
 * What of a processor's answer is used. Adapters are written against interfaces that change, so
 * nothing here trusts the types. What became of the money is believed or it is not; everything
 * around it is kept where it is well formed, and never decides whether the rest can be recorded.
 */

const CODES: ReadonlySet<unknown> = new Set<DeclineCode>([
  'DECLINED',
  'INSUFFICIENT_FUNDS',
  'EXPIRED_CARD',
  'WRONG_SECURITY_CODE',
  'INVALID_METHOD',
  'AUTHENTICATION_FAILED',
  'CANCELLED',
])
const THREE_DS: ReadonlySet<unknown> = new Set<ThreeDs>([
  'NONE',
  'FRICTIONLESS',
  'CHALLENGED',
  'FAILED',
])

const CAPABILITIES: ReadonlySet<unknown> = new Set<PaymentCapability>([
  'refund',
  'partial_refund',
  'multiple_refunds',
  'partial_capture',
  'multiple_captures',
  'void',
])

/** How long a processor may have us wait before it is asked again, and how long without its word. */
const WAIT_MAX_MS = 30 * 86_400_000
const WAIT_MS = 60_000

type Said = Record<string, unknown>

/**
 * Whether something that a processor said is an answer at all: an approval without a reference, say,
 * is money that could never be given back. What is no answer counts as silence, and the processor is
 * asked again.
 */
export function isProcessorResponse(said: unknown): said is ProcessorResponse {
  if (!isObject(said)) return false
  switch (said['status']) {
    case 'APPROVED':
    case 'PENDING':
      return textOf(said['reference']) !== undefined
    case 'ACTION':
      return textOf(said['reference']) !== undefined && textOf(said['url']) !== undefined
    case 'DECLINED':
      return CODES.has(said['code'])
    case 'ERROR':
    case 'UNKNOWN':
      return true
    default:
      return false
  }
}

/** An answer that can be stored as it is, and what it had beyond that or otherwise. */
export interface SanitizedResponse {
  answer: ProcessorResponse
  /** Members that were left out or changed, by their names. */
  mended: string[]
}

/** Reduces an answer that makes sense to what is well formed. */
export function sanitizeResponse(said: ProcessorResponse): SanitizedResponse {
  const mended: string[] = []
  const members = said as unknown as Said
  const read = <T>(name: string, as: (value: unknown) => T | undefined): T | undefined => {
    const value = members[name]
    if (value === undefined || value === null) return undefined
    const kept = as(value)
    if (!isSame(value, kept)) mended.push(name)
    return kept
  }
  return { answer: answerOf(said, read), mended }
}

type Read = <T>(name: string, as: (value: unknown) => T | undefined) => T | undefined

function answerOf(said: ProcessorResponse, read: Read): ProcessorResponse {
  const method = given('method', read('method', methodOf))
  // What an answer makes no sense without is there.
  const reference = read('reference', textOf) as string
  switch (said.status) {
    case 'APPROVED':
      return {
        status: 'APPROVED',
        reference,
        ...method,
        ...given('stored', read('stored', storedOf)),
        ...given('three_ds', read('three_ds', threeDsOf)),
        ...endOf(read('authorised_until', instantOf)),
        ...given('unsupported', read('unsupported', capabilitiesOf)),
      }
    case 'DECLINED':
      return {
        status: 'DECLINED',
        reference: reference ?? null,
        code: said.code,
        message: read('message', messageOf) ?? '',
        ...method,
        ...given('three_ds', read('three_ds', threeDsOf)),
      }
    case 'PENDING': {
      const check_after_ms = read('check_after_ms', waitOf) ?? WAIT_MS
      const message = given('message', read('message', messageOf))
      return { status: 'PENDING', reference, ...method, check_after_ms, ...message }
    }
    case 'ACTION':
      return { status: 'ACTION', reference, url: read('url', textOf) as string, ...method }
    case 'ERROR':
      return { status: 'ERROR', message: read('message', messageOf) ?? '' }
    case 'UNKNOWN':
      return { status: 'UNKNOWN' }
  }
}

/** A member of an object that lacks it when there is nothing to say. */
function given<Name extends string, T>(name: Name, value: T | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: T }
}

function isObject(value: unknown): value is Said {
  return typeof value === 'object' && value !== null
}

function isSame(value: unknown, kept: unknown): boolean {
  // A list is only ever shortened.
  if (Array.isArray(value) && Array.isArray(kept)) return value.length === kept.length
  if (!isObject(value) || !isObject(kept)) return value === kept
  return Object.entries(kept).every(([name, member]) => member === (value[name] ?? null))
}

/** A text without NUL, which PostgreSQL cannot store; undefined when that leaves nothing. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replaceAll('\0', '') : ''
  return text === '' ? undefined : text
}

const MESSAGE_LENGTH_MAX = 1000

/** A sentence, which may repeat what the payer typed: as long as is worth reading, and no card. */
function messageOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text && withoutCardNumbers(text.slice(0, MESSAGE_LENGTH_MAX))
}

const DETAIL_LENGTH_MAX = 64

/** A word about a method; null for what is too long to be one, such as the number of a card. */
function detailOf(value: unknown): string | null {
  const text = textOf(value)
  if (text === undefined || text.length > DETAIL_LENGTH_MAX || holdsCardNumber(text)) return null
  return text
}

/** The last digits of a number are four; more of them would be the number. */
function last4Of(value: unknown): string | null {
  const text = textOf(value)
  return text !== undefined && text.length <= 4 ? text : null
}

function numberOf(value: unknown, max: number): number | null {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= max
    ? (value as number)
    : null
}

function methodOf(value: unknown): MethodDetails | undefined {
  if (!isObject(value)) return undefined
  return {
    type: detailOf(value['type']) ?? '',
    brand: detailOf(value['brand']),
    last4: last4Of(value['last4']),
    exp_month: numberOf(value['exp_month'], 12),
    exp_year: numberOf(value['exp_year'], 9999),
    funding: detailOf(value['funding']),
    country: detailOf(value['country']),
  }
}

/** Without either half it could not be charged, or not be recognised. */
function storedOf(value: unknown): StoredMethod | undefined {
  if (!isObject(value)) return undefined
  const token = textOf(value['token'])
  const fingerprint = textOf(value['fingerprint'])
  return token === undefined || fingerprint === undefined ? undefined : { token, fingerprint }
}

function threeDsOf(value: unknown): ThreeDs | undefined {
  return THREE_DS.has(value) ? (value as ThreeDs) : undefined
}

/** What an adapter names and this version does not know restricts nothing that is done here. */
function capabilitiesOf(value: unknown): PaymentCapability[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((name): name is PaymentCapability => CAPABILITIES.has(name))
}

function instantOf(value: unknown): string | undefined {
  return typeof value === 'string' && parseInstant(value) !== undefined ? value : undefined
}

/** In the form in which times are stored, since they are compared as texts. */
function endOf(until: string | undefined) {
  const ms = until === undefined ? undefined : parseInstant(until)
  return given('authorised_until', ms === undefined ? undefined : formatInstant(ms))
}

function waitOf(value: unknown): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value) || value < 0) return undefined
  return Math.min(value, WAIT_MAX_MS)
}
