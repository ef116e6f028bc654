import { z } from 'zod'
import { withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { ProcessorReversal } from '../processors/port.ts'

/** Validates a processor's list of reversals, without trusting the types of an adapter. */

const REASON_LENGTH_MAX = 1000
/** Limits and default of `check_after_ms`. */
const WAIT_MAX_MS = 86_400_000
const WAIT_MIN_MS = 1000
const WAIT_MS = 3_600_000

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

const reversal = z.object({
  reference: name,
  operation: name,
  type: z.enum(['DISPUTE']),
  status: z.enum(['OPEN', 'WON', 'LOST']),
  amount: z.int().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  // Invalid optional fields are dropped and never block the reversal.
  reason: z
    .string()
    .transform((text) => withoutCardNumbers(text.replaceAll('\0', '').slice(0, REASON_LENGTH_MAX)))
    .nullable()
    .catch(null),
  due: dateTime.nullable().catch(null),
  changed: dateTime,
})

const response = z.object({
  reversals: z.array(z.unknown()),
  check_after_ms: z
    .number()
    .transform((ms) => Math.min(Math.max(ms, WAIT_MIN_MS), WAIT_MAX_MS))
    .catch(WAIT_MS),
  next_change: dateTime.nullable().catch(null),
})

export interface SanitizedReversals {
  reversals: ProcessorReversal[]
  /** One error for each invalid reversal. */
  invalid: z.ZodError[]
  check_after_ms: number
  next_change: string | null
}

/** Returns the valid reversals. Throws a ZodError when the response itself is invalid. */
export function sanitizeReversals(received: unknown): SanitizedReversals {
  const { reversals, ...schedule } = response.parse(received)
  const parsed = reversals.map((each) => reversal.safeParse(each))
  return {
    ...schedule,
    reversals: parsed.flatMap(({ data }) => data ?? []),
    invalid: parsed.flatMap(({ error }) => error ?? []),
  }
}
