import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { batchesOf } from '../db/batches.ts'
import type { Db } from '../db/tables.ts'
import type { ExpandRequest, Expander } from '../deps.ts'
import { ApiError, invalid } from '../errors.ts'

/**
 * `expand=contract,parts.charge` replaces ids in records by the records that they refer to, with
 * one query for each path and batch.
 */

const DEPTH_MAX = 4
/** Each path is a query, and a list could otherwise name hundreds. */
const PATHS_MAX = 50

/** A member of a route's `query`. */
export const expandParameter = z
  .string()
  .optional()
  .meta({
    description:
      'Members whose ids are replaced by the records that they name, separated by commas. A dot ' +
      'leads into such a record, as in `account.last_transaction`.',
  })

export interface LoadFrom {
  db: Db
  /** Epoch milliseconds. */
  now: () => number
  baseUrl: string
}

/**
 * Loads records of one instance by their ids, as their own GET returns them. Ids that are unknown
 * or belong to another instance are omitted. There are at most 1024 ids, possibly repeated.
 */
export type LoadMany = (
  from: LoadFrom,
  instanceId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, object>>

/**
 * One resource: how its records are loaded, and which of their members refer to other resources.
 */
export interface ExpandableKind {
  /** Absent if no member refers to this resource. */
  load?: LoadMany
  /**
   * Member to resource. `inEach` is for a member that is a list: the property of each entry that
   * holds the id.
   */
  members: Record<string, string | { kind: string; inEach: string }>
}

export type ExpandGraph = Record<string, ExpandableKind>

/**
 * Returns the expanded record of a GET. Invalid paths are rejected before the record is looked up,
 * so that the response does not depend on whether it exists.
 */
export async function readExpanded<T extends object>(
  expander: Expander,
  request: ExpandRequest,
  read: () => Promise<T>,
): Promise<T> {
  await expander(request, [])
  const [record] = await expander(request, [await read()])
  return record as T
}

/** The members to expand at one level, with those below them. */
export type ExpandPaths = Map<string, ExpandPaths>

/** Parses the parameter as a tree of names. Throws a 400 ApiError. */
export function readExpand(
  text: string | undefined,
  kind: string,
  graph: ExpandGraph,
): ExpandPaths {
  const tree: ExpandPaths = new Map()
  const paths = (text ?? '').split(',').map((part) => part.trim())
  if (paths.length > PATHS_MAX) throw invalid('expand', `must name at most ${PATHS_MAX} members`)
  for (const path of paths.filter((part) => part !== '')) {
    const steps = path.split('.')
    if (steps.length > DEPTH_MAX) throw cannotExpand(path)
    let level = tree
    let at = kind
    for (const step of steps) {
      const next = memberOf(graph, at, step)
      if (next === undefined) throw cannotExpand(path)
      at = next.kind
      const below = level.get(step) ?? new Map<string, ExpandPaths>()
      level.set(step, below)
      level = below
    }
  }
  return tree
}

function cannotExpand(path: string): ApiError {
  return new ApiError('INVALID_REQUEST', `Cannot expand ${path}`)
}

interface Member {
  kind: string
  inEach?: string
}

function memberOf(graph: ExpandGraph, kind: string, name: string): Member | undefined {
  const members = graph[kind]?.members ?? {}
  // Names such as `constructor` are inherited by every object.
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  return typeof member === 'string' ? { kind: member } : member
}

type Holder = Record<string, unknown>

export function createExpander(from: LoadFrom, graph: ExpandGraph): Expander {
  return async <T extends object>(request: ExpandRequest, records: readonly T[]) => {
    const tree = readExpand(request.expand, request.kind, graph)
    return (await filled(records as readonly Holder[], request, tree)) as T[]
  }

  async function filled(
    records: readonly Holder[],
    { kind, instanceId }: { kind: string; instanceId: string },
    tree: ExpandPaths,
  ): Promise<Holder[]> {
    let holders = [...records]
    for (const [name, below] of tree) {
      const member = memberOf(graph, kind, name) as Member
      const ids = new Set(holders.flatMap((holder) => idsIn(holder[name], member)))
      const found = await load({ kind: member.kind, instanceId }, [...ids], below)
      holders = holders.map((holder) => ({
        ...holder,
        [name]: withRecords(holder[name], member, found),
      }))
    }
    return holders
  }

  async function load(
    what: { kind: string; instanceId: string },
    ids: readonly string[],
    below: ExpandPaths,
  ): Promise<ReadonlyMap<string, Holder>> {
    const found = new Map<string, Holder>()
    for (const batch of batchesOf(ids)) {
      // Lets other requests run between batches: on SQLite a query blocks the process.
      await setImmediate()
      const loaded = await graph[what.kind]?.load?.(from, what.instanceId, batch)
      for (const [id, record] of loaded ?? []) found.set(id, record as Holder)
    }
    if (below.size === 0 || found.size === 0) return found
    const expanded = await filled([...found.values()], what, below)
    return new Map([...found.keys()].map((id, at) => [id, expanded[at] as Holder]))
  }
}

function idsIn(value: unknown, { inEach }: Member): string[] {
  const values =
    inEach === undefined ? [value].flat() : entries(value).map((entry) => entry[inEach])
  return values.filter((id) => typeof id === 'string')
}

/** Returns the value with ids replaced; null and unknown ids are kept. */
function withRecords(
  value: unknown,
  { inEach }: Member,
  found: ReadonlyMap<string, Holder>,
): unknown {
  if (inEach !== undefined) {
    return entries(value).map((entry) => ({ ...entry, [inEach]: replaced(entry[inEach], found) }))
  }
  return Array.isArray(value) ? value.map((id) => replaced(id, found)) : replaced(value, found)
}

function replaced(id: unknown, found: ReadonlyMap<string, Holder>): unknown {
  return typeof id === 'string' ? (found.get(id) ?? id) : id
}

function entries(value: unknown): Holder[] {
  return value as Holder[]
}
