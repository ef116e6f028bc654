import { sql } from 'kysely'
import type { Instance } from '../db/tables/instances.ts'
import type { ListTurn } from '../deps.ts'
import { parseListQuery } from '../http/list-query.ts'
import type { RestrictedCaller } from '../http/scopes.ts'
import type { ListedKind } from './kinds.ts'

const MINUTE_MS = 60_000

/** How far it counts, which bounds the time that it takes. */
export const COUNT_MAX = 1000

interface Read {
  turn: ListTurn
  instance: Instance
  caller: RestrictedCaller | undefined
  /** Epoch milliseconds: the time of the instance, and that of the server. */
  now: number
  realNow: number
}

/**
 * Counts the records of a kind, up to COUNT_MAX, by the list that shows them, and returns the path and query of
 * this list. Returns null for a caller who may not read it.
 */
export async function countKind(kind: ListedKind, { turn, instance, caller, ...times }: Read) {
  const now = kind.realTime ? times.realNow : times.now
  if (caller && !caller.permitted.has(kind.needs)) return null
  // A whole minute, so that the list keeps its address for a while.
  const criteria = kind.criteria(now - (now % MINUTE_MS))
  const list = parseListQuery({ criteria }, kind.filters(now))
  const where = kind.indexed ? sql<boolean>`(${kind.indexed} and ${list.where})` : list.where
  const counted = { ...list, where, countMax: COUNT_MAX }
  const { total } = await kind.list(turn, instance.id, counted, caller)
  return { count: total, list: `${kind.path}?${new URLSearchParams({ criteria }).toString()}` }
}
