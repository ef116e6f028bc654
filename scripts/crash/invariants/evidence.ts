import type { ReceivedMail } from '../../../test/mail-server.ts'
import type { Json } from '../../../test/payments-client.ts'
import type { Received } from '../../../test/webhook-receiver.ts'
import type { Call } from '../history.ts'
import type { LedgerEntries } from '../ledger.ts'
import type { Records } from '../records.ts'

/** What an invariant is judged by, gathered while no client does anything. */
export interface Evidence {
  calls: readonly Call[]
  records: Records
  /** The processor's books before our records were read, and after. */
  earlier: LedgerEntries
  later: LedgerEntries
  deliveries: readonly Received[]
  /** The deliveries that were answered with 204. */
  taken: ReadonlySet<Received>
  /** What the mail server accepted. */
  mails: readonly ReceivedMail[]
  /** What signs the webhooks of each shop. */
  webhookSecrets: ReadonlyMap<string, string>
  /** The first final status that was ever seen of a record, by its id. */
  finals: Map<string, string>
  /** True after all faults have stopped and all delays are over. */
  settled: boolean
  /** What must not be in any file of the server, and the files' names with their content. */
  secrets: readonly string[]
  files: readonly [name: string, content: string][]
}

export interface Invariant {
  id: string
  /** What always holds. */
  description: string
  /** Says what breaks it, in words; nothing when it holds. */
  findViolations?: (evidence: Evidence) => string[]
  /** Where it is shown, when a crash run cannot see it. */
  checkedBy?: string
}

/** Returns the calls of an operation with this response status. */
export function answered(evidence: Evidence, op: string, status = 200): Call[] {
  return evidence.calls.filter((call) => call.op === op && call.status === status)
}

/** The one record that an answer holds under its singular name. */
export function recordOf(call: Call): Json {
  return Object.values(call.json ?? {})[0]
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

export function byId<T extends { id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** Rows of which there are several where one is allowed, by what they have in common. */
export function repeated<T>(
  rows: readonly T[],
  common: (row: T) => string | null,
): [string, T[]][] {
  const keyed = rows.filter((row) => common(row) !== null)
  return [...Map.groupBy(keyed, (row) => common(row) as string)].filter(([, own]) => own.length > 1)
}
