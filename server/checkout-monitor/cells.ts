import type { CheckoutMilestones, CheckoutRow } from '../db/tables/checkouts.ts'
import { payTimeBucket } from './pay-times.ts'

/** Counts are kept by these minutes of UTC, of which every zone's offset is a multiple. */
export const SLOT_MS = 300_000

/** What rows of counts are told apart by. A text is empty where the session has no value. */
export const DIMENSIONS = [
  'currency',
  'language',
  'branding',
  'channel',
  'method',
  'processor',
  'deep_link',
] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** Each is 1 for a session that it applies to, except `amount`, in minor units of the currency. */
export const SESSION_COUNTS = [
  'opened',
  'details_done',
  'method_chosen',
  'submitted',
  'challenged',
  'completed',
  'pending',
  'declined',
  'abandoned',
  'expired',
  'amount',
] as const

export type SessionCount = (typeof SESSION_COUNTS)[number]

/** `occurrences` belongs to the row's `detail`; rows of sessions have none. */
export const COUNTS = [...SESSION_COUNTS, 'occurrences'] as const

export type Counts = Record<(typeof COUNTS)[number], number>

export interface CellKey extends Record<Dimension, string> {
  instance_id: string
  /** Number of `SLOT_MS` since the epoch, of the session's opening. */
  slot: number
  /** Empty for counts of sessions; `paid:47` for one paid in 47 seconds; `decline:EXPIRED_CARD`. */
  detail: string
}

export interface Cell extends CellKey, Counts {}

export const KEY_COLUMNS = ['instance_id', 'slot', ...DIMENSIONS, 'detail'] as const

export const PAID = 'paid:'
export const DECLINE = 'decline:'

/** The columns of a session that its counts follow from. */
export type CountedCheckout = Pick<
  CheckoutRow,
  | 'instance_id'
  | 'created'
  | 'status'
  | 'milestones'
  | 'amount'
  | 'currency'
  | 'language'
  | 'branding'
  | 'channel'
  | 'method_type'
  | 'processor'
  | 'declined'
  | 'deep_link_id'
  | 'personal'
>

/** Returns what a session adds to the counts. The sum over all sessions is what the counts must be. */
export function cellsOf(checkout: CountedCheckout): Cell[] {
  const milestones = JSON.parse(checkout.milestones) as CheckoutMilestones
  const { status } = checkout
  const isPaid = status === 'COMPLETED'
  const key = keyOf(checkout)
  const session: Cell = {
    ...key,
    ...NO_COUNTS,
    opened: 1,
    details_done: flag(milestones.details_done !== undefined),
    method_chosen: flag(milestones.method_chosen !== undefined),
    submitted: flag(milestones.submitted !== undefined),
    challenged: flag(milestones.challenged !== undefined),
    completed: flag(isPaid),
    pending: flag(status === 'PENDING'),
    declined: checkout.declined,
    abandoned: flag(status === 'ABANDONED'),
    expired: flag(status === 'EXPIRED'),
    amount: isPaid ? (checkout.amount ?? 0) : 0,
  }
  if (!isPaid || milestones.completed === undefined) return [session]
  const ms = Date.parse(milestones.completed) - Date.parse(checkout.created)
  const detail = `${PAID}${payTimeBucket(ms)}`
  return [session, { ...key, detail, ...NO_COUNTS, occurrences: 1 }]
}

/** Returns what a declined attempt adds, by the method and processor that it was made with. */
export function declineCell(
  checkout: CountedCheckout,
  attempt: { method_type: string | null; processor: string; decline_code: string | null },
): Cell {
  const { method_type, processor } = attempt
  return {
    ...keyOf({ ...checkout, method_type, processor }),
    detail: `${DECLINE}${attempt.decline_code ?? 'DECLINED'}`,
    ...NO_COUNTS,
    occurrences: 1,
  }
}

/** Returns the cells that turn the counts of `before` into those of `after`. */
export function cellChanges(before: readonly Cell[], after: readonly Cell[]): Cell[] {
  return sumCells([...after, ...before.map(negative)]).filter((cell) =>
    COUNTS.some((name) => cell[name] !== 0),
  )
}

/** Returns one cell for each key, with the sums. */
export function sumCells(cells: readonly Cell[]): Cell[] {
  const sums = new Map<string, Cell>()
  for (const cell of cells) {
    const key = JSON.stringify(KEY_COLUMNS.map((name) => cell[name]))
    const sum = sums.get(key)
    if (sum) for (const name of COUNTS) sum[name] += cell[name]
    else sums.set(key, { ...cell })
  }
  return [...sums.values()]
}

function keyOf(checkout: CountedCheckout): CellKey {
  return {
    instance_id: checkout.instance_id,
    slot: Math.floor(Date.parse(checkout.created) / SLOT_MS),
    currency: checkout.currency ?? '',
    language: checkout.language,
    branding: checkout.branding ?? '',
    channel: checkout.channel ?? '',
    method: checkout.method_type ?? '',
    processor: checkout.processor ?? '',
    deep_link: checkout.personal === 1 ? '' : (checkout.deep_link_id ?? ''),
    detail: '',
  }
}

const NO_COUNTS = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts

function negative(cell: Cell): Cell {
  const counts = COUNTS.map((name) => [name, cell[name] === 0 ? 0 : -cell[name]])
  return { ...cell, ...(Object.fromEntries(counts) as Counts) }
}

function flag(condition: boolean): number {
  return condition ? 1 : 0
}
