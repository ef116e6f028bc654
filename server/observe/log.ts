import { type DestinationStream, pino } from 'pino'
import { redact } from './redact.ts'

/**
 * The only members that a log line may have beside its message, time and level. Bodies, queries,
 * headers and link URLs are not among them: other names fail to compile, and are dropped at run
 * time.
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
  'mail',
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

interface Write {
  (fields: LogFields, message: string): void
  (message: string): void
}

export type Log = Record<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>

/**
 * Creates a log of one JSON object per line with the members of `FIELDS`. Errors keep type, message,
 * stack and code. Each finished line is redacted, because a message or a stack may contain a card
 * number.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const stream: DestinationStream = destination ?? pino.destination(1)
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: allowedFields },
      serializers: { err: errorFields },
    },
    { write: (line: string) => stream.write(redact(line)) },
  )
}

function allowedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of FIELDS) {
    const value = fields[name]
    // The members of an object may have other names.
    if (name === 'err' || typeof value !== 'object') kept[name] = value
  }
  return kept
}

/** Database errors carry rows and parameters, which are left out. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, code: typeof code === 'string' ? code : undefined }
}
