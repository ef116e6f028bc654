import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type Log = Logger

/**
 * The log: one JSON object a line, with only the members that a caller names.
 *
 * Bodies, queries and headers are never handed to it. As the last defence every finished line is
 * scrubbed, because a card number can also hide in an error message or a stack (safety row 15).
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const stream: DestinationStream = destination ?? pino.destination(1)
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => stream.write(scrub(line)) },
  )
}

/** Replaces what looks like a card number or like credentials. */
export function scrub(line: string): string {
  return line
    .replace(/\b(basic|bearer)\s+[\w+/=.~-]{6,}/gi, '$1 [removed]')
    .replace(/\b(sk|ckt|tok|at|rt|cd)_[\w-]{16,}/g, '$1_[removed]')
    .replace(/(?<![\w.-])[2-6](?:[ -]?\d){12,18}(?![\w-])/g, (digits) =>
      passesLuhn(digits.replace(/\D/g, '')) ? '[card number removed]' : digits,
    )
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
