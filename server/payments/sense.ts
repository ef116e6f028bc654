import type { DeclineCode, ProcessorAnswer } from '../processors/port.ts'

const CODES: ReadonlySet<unknown> = new Set<DeclineCode>([
  'DECLINED',
  'INSUFFICIENT_FUNDS',
  'EXPIRED_CARD',
  'WRONG_SECURITY_CODE',
  'INVALID_METHOD',
  'AUTHENTICATION_FAILED',
  'CANCELLED',
])

/**
 * Whether something that a processor said is an answer at all. Adapters are written against
 * interfaces that change, and an approval without a reference, say, is money that could never be
 * given back. What is no answer counts as silence, and the processor is asked again.
 */
export function makesSense(said: unknown): said is ProcessorAnswer {
  if (typeof said !== 'object' || said === null) return false
  const answer = said as Record<string, unknown>
  switch (answer['status']) {
    case 'APPROVED':
      return isText(answer['reference']) && isOptionalText(answer['authorised_until'])
    case 'DECLINED':
      return CODES.has(answer['code']) && typeof answer['message'] === 'string'
    case 'PENDING':
      return isText(answer['reference']) && Number.isFinite(answer['check_after_ms'])
    case 'ACTION':
      return isText(answer['reference']) && isText(answer['url'])
    case 'ERROR':
      return typeof answer['message'] === 'string'
    case 'UNKNOWN':
      return true
    default:
      return false
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value)
}
