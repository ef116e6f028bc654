import { type DestinationStream, pino } from 'pino'
import { redact } from './redact.ts'

/**
 * Everything that a line may carry beside its message, its time and its level. Bodies, queries,
 * headers and addresses of links have no name here, so nobody can log one by mistake: the compiler
 * refuses another name, and one that comes all the same is left out (safety row 15).
 */
const FIELDS = [
  'advice',
  'attempt',
  'blocked',
  'capture',
  'charge',
  'client',
  'contract',
  'delivery',
  'directive',
  'err',
  'error',
  'event',
  'heldMs',
  'instance',
  'job',
  'lastSql',
  'limit',
  'malformed',
  'method',
  'ms',
  'network',
  'operation',
  'payment',
  'processor',
  'request',
  'route',
  'source',
  'status',
  'times',
  'unlogged',
  'user',
  'waiting',
] as const

export type LogFields = { [field in (typeof FIELDS)[number]]?: unknown }

/** Writes one line; `fields` come before the message. */
interface Write {
  (fields: LogFields, message: string): void
  (message: string): void
}

export type Log = Record<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>

/**
 * The log: one JSON object a line, with only what `FIELDS` names, and of an error only what it
 * says of itself. Every finished line is scrubbed, because a card number can also hide in an
 * error's message or stack.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const stream: DestinationStream = destination ?? pino.destination(1)
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: allowed },
      serializers: { err: errorFields },
    },
    { write: (line: string) => stream.write(redact(line)) },
  )
}

function allowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of FIELDS) {
    const value = fields[name]
    // What has members would bring along names that nobody has allowed.
    if (name === 'err' || typeof value !== 'object') kept[name] = value
  }
  return kept
}

/** A database's error carries rows and parameters beside its words. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, code: typeof code === 'string' ? code : undefined }
}
