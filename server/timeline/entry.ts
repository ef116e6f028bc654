import { amountText } from '../../shared/rules/currency.ts'
import type { TimelineEntry, TimelineKind, TimelineTitle } from '../../shared/schemas/timeline.ts'
import type { Db } from '../db/tables.ts'
import type { RecordKind } from './records.ts'

/** The records of an instance that one timeline is about: ids of each kind. */
export interface Scope {
  /** The record that was asked for. */
  root: { kind: RecordKind; id: string }
  accounts: readonly string[]
  payment_methods: readonly string[]
  contracts: readonly string[]
  charges: readonly string[]
  payment_links: readonly string[]
  checkouts: readonly string[]
  /** Without captures. */
  payments: readonly string[]
}

/** An entry before its actor is looked up. */
export interface NewEntry extends Omit<TimelineEntry, 'actor'> {
  /** Id of an actor session; null if it is not stored. */
  session: string | null
}

export interface Source {
  db: Db
  instanceId: string
  scope: Scope
  /** Stored instant. */
  now: string
}

/** The newest rows of one kind that are read. */
export const ROWS_MAX = 200

type Tone = TimelineEntry['tone']

type Told = string | number | null | undefined

interface EntryDetails {
  tone?: Tone
  values?: Readonly<Record<string, Told>>
  ids: Readonly<Record<string, string | null | undefined>>
  session?: string | null
}

/** Returns an entry without the values and ids that are missing. */
export function newEntry(
  at: string,
  kind: TimelineKind,
  title_id: TimelineTitle,
  { tone = 'calm', values = {}, ids, session = null }: EntryDetails,
): NewEntry {
  return { at, kind, tone, title_id, values: texts(values), ids: texts(ids), session }
}

function texts(values: Readonly<Record<string, Told>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  )
}

/** The values of a sum of money in minor units. */
export function money({ amount, currency }: { amount: number; currency: string }) {
  return { amount: amountText(amount, currency), currency }
}
