import type { Db } from '../db/tables.ts'
import { Refusal } from './refusal.ts'

/**
 * `expand=contract,parts.account` (specification: list conventions; contract section 15.4): turns
 * ids inside records into the records that they name, with one query for each path, however many
 * records there are.
 */

const DEPTH_MAX = 4

export interface LoadFrom {
  db: Db
  /** Epoch milliseconds. */
  now: () => number
  baseUrl: string
}

/** Reads records of one instance by their ids; an unknown id is simply not in the answer. */
export type LoadMany = (
  from: LoadFrom,
  instanceId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, object>>

/** One kind of record: how it is read, and which of its members name records of other kinds. */
export interface ExpandableKind {
  load: LoadMany
  /** Member to kind. `inEach` is for a member that is a list: the part of each entry that holds the id. */
  members: Record<string, string | { kind: string; inEach: string }>
}

export type ExpandGraph = Record<string, ExpandableKind>

/** Expands records of a kind by the text of the parameter, and answers new records. */
export type Expander = <T extends object>(
  what: { kind: string; instanceId: string; expand: string | undefined },
  records: readonly T[],
) => Promise<T[]>

/** What is to be expanded at one level, and below it. */
type Paths = Map<string, Paths>

/** Reads the parameter; a 400 Refusal for a name that cannot be expanded where it stands. */
export function readExpand(text: string | undefined, kind: string, graph: ExpandGraph): Paths {
  const tree: Paths = new Map()
  for (const path of (text ?? '').split(',').map((part) => part.trim())) {
    if (path === '') continue
    const steps = path.split('.')
    if (steps.length > DEPTH_MAX) throw cannotExpand(path)
    let level = tree
    let at = kind
    for (const step of steps) {
      const next = memberOf(graph, at, step)
      if (next === undefined) throw cannotExpand(path)
      at = next.kind
      const below = level.get(step) ?? new Map()
      level.set(step, below)
      level = below
    }
  }
  return tree
}

function cannotExpand(path: string): Refusal {
  return new Refusal('INVALID_REQUEST', `Cannot expand ${path}`)
}

function memberOf(
  graph: ExpandGraph,
  kind: string,
  name: string,
): { kind: string; inEach?: string } | undefined {
  const members = graph[kind]?.members ?? {}
  // Names such as `constructor` are members of every object, and expandable on none.
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  return typeof member === 'string' ? { kind: member } : member
}

type Holder = Record<string, unknown>

/** An expander over a graph of kinds. */
export function createExpander(from: LoadFrom, graph: ExpandGraph): Expander {
  return async ({ kind, instanceId, expand }, records) => {
    const tree = readExpand(expand, kind, graph)
    const copies = records.map((record) => structuredClone(record))
    await fill(copies as Holder[], kind, tree, instanceId)
    return copies
  }

  async function fill(
    records: readonly Holder[],
    kind: string,
    tree: Paths,
    instanceId: string,
  ): Promise<void> {
    for (const [name, below] of tree) {
      const member = memberOf(graph, kind, name)
      if (!member) continue
      const { inEach } = member
      const holders = inEach ? records.flatMap((record) => record[name] as Holder[]) : records
      const place = inEach ?? name
      const ids = new Set(holders.map((holder) => holder[place]).filter(isId))
      if (ids.size === 0) continue
      const found = await load(member.kind, instanceId, [...ids])
      await fill([...found.values()] as Holder[], member.kind, below, instanceId)
      for (const holder of holders) {
        const id = holder[place]
        if (isId(id)) holder[place] = found.get(id) ?? id
      }
    }
  }

  async function load(kind: string, instanceId: string, ids: readonly string[]) {
    const found = await graph[kind]?.load(from, instanceId, padded(ids))
    return found ?? new Map<string, object>()
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string'
}

/**
 * The ids, with the last one repeated up to a power of two: a statement is prepared for each
 * number of placeholders, and this way there are eleven of them and not a thousand.
 */
function padded(ids: readonly string[]): readonly string[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length))
  return [...ids, ...Array.from({ length: size - ids.length }, () => ids.at(-1) as string)]
}
