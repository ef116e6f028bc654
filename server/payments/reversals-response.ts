import { z } from 'zod'
import { withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { ProcessorReversal } from '../processors/port.ts'

/** What of a processor's answer about reversals is used: nothing here trusts the types. */

const REASON_LENGTH_MAX = 1000
/** How long a processor may have us wait before it is asked again. */
const WAIT_MAX_MS = 86_400_000
const WAIT_MIN_MS = 1000
const WAIT_MS = 3_600_000

/** In the form in which times are stored, since they are compared as texts. */
const dateTime = z.string().transform((text, context) => {
  const ms = parseInstant(text)
  if (ms !== undefined) return formatInstant(ms)
  context.addIssue('is no date-time')
  return z.NEVER
})

/** A text that PostgreSQL can store. */
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
  // What stands around the money is kept where it is well formed, and decides nothing.
  reason: z
    .string()
    .transform((text) => withoutCardNumbers(text.replaceAll('\0', '').slice(0, REASON_LENGTH_MAX)))
    .nullable()
    .catch(null),
  due: dateTime.nullable().catch(null),
  changed: dateTime,
})

const answer = z.object({
  reversals: z.array(z.unknown()),
  check_after_ms: z
    .number()
    .transform((ms) => Math.min(Math.max(ms, WAIT_MIN_MS), WAIT_MAX_MS))
    .catch(WAIT_MS),
  next_change: dateTime.nullable().catch(null),
})

export interface SanitizedReversals {
  reversals: ProcessorReversal[]
  /** Those that make no sense: what is wrong with each. */
  senseless: z.ZodError[]
  check_after_ms: number
  next_change: string | null
}

/**
 * Returns the reversals of an answer that make sense, and apart from them the complaints about those
 * that do not. Throws a ZodError for what is no answer at all.
 */
export function sanitizeReversals(said: unknown): SanitizedReversals {
  const { reversals, ...when } = answer.parse(said)
  const read = reversals.map((each) => reversal.safeParse(each))
  return {
    ...when,
    reversals: read.flatMap(({ data }) => data ?? []),
    senseless: read.flatMap(({ error }) => error ?? []),
  }
}
