import { z } from 'zod'
import { withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { OperationFees, ProcessorReversal } from '../processors/port.ts'

/** Validates a processor's report of money that came back and of fees, without trusting the types of an adapter. */

const REASON_LENGTH_MAX = 1000
/** Limits and default of `check_after_ms`. */
const WAIT_MAX_MS = 86_400_000
const WAIT_MIN_MS = 1000
const WAIT_MS = 3_600_000

/** The only status of a type. */
const FINAL: Partial<Record<ProcessorReversal['type'], ProcessorReversal['status']>> = {
  RETURN: 'LOST',
  REFUND_FAILED: 'WON',
}

/** In the stored format, because times are compared as text. */
const dateTime = z.string().transform((text, context) => {
  const ms = parseInstant(text)
  if (ms !== undefined) return formatInstant(ms)
  context.addIssue('must be a date-time')
  return z.NEVER
})

/** Without NUL, which PostgreSQL cannot store. */
const name = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => !text.includes('\0'))

const reversal = z
  .object({
    reference: name,
    operation: name,
    type: z.enum(['INQUIRY', 'DISPUTE', 'RETURN', 'EXTERNAL_REFUND', 'REFUND_FAILED']),
    status: z.enum(['OPEN', 'WON', 'LOST']),
    amount: z.int().positive(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    // Invalid optional fields are dropped and never block the reversal.
    reason: z
      .string()
      .transform((text) =>
        withoutCardNumbers(text.replaceAll('\0', '').slice(0, REASON_LENGTH_MAX)),
      )
      .nullable()
      .catch(null),
    due: dateTime.nullable().catch(null),
    changed: dateTime,
  })
  // A returned debit stays returned, and a failed refund never arrives after all.
  .refine(({ type, status }) => FINAL[type] === undefined || FINAL[type] === status)

const fees = z.object({
  operation: name,
  fee: z.int(),
  net: z.int(),
  currency: z.string().refine((code) => currencyDigits(code) !== undefined),
})

const response = z.object({
  reversals: z.array(z.unknown()),
  fees: z.array(z.unknown()).catch([]),
  removed: z.array(name).catch([]),
  check_after_ms: z
    .number()
    .transform((ms) => Math.min(Math.max(ms, WAIT_MIN_MS), WAIT_MAX_MS))
    .catch(WAIT_MS),
  read_until: dateTime.optional().catch(undefined),
  next_change: dateTime.nullable().catch(null),
})

export interface SanitizedReversals {
  reversals: ProcessorReversal[]
  fees: OperationFees[]
  /** Tokens of saved methods. */
  removed: string[]
  /** One error for each invalid reversal or fee. */
  invalid: z.ZodError[]
  check_after_ms: number
  read_until: string | undefined
  next_change: string | null
}

/** Returns the valid reversals and fees. Throws a ZodError when the response itself is invalid. */
export function sanitizeReversals(received: unknown): SanitizedReversals {
  const parsed = response.parse(received)
  const reversals = parsed.reversals.map((each) => reversal.safeParse(each))
  const booked = parsed.fees.map((each) => fees.safeParse(each))
  return {
    check_after_ms: parsed.check_after_ms,
    read_until: parsed.read_until,
    next_change: parsed.next_change,
    removed: parsed.removed,
    reversals: reversals.flatMap(({ data }) => data ?? []),
    fees: booked.flatMap(({ data }) => data ?? []),
    invalid: [...reversals, ...booked].flatMap(({ error }) => error ?? []),
  }
}
