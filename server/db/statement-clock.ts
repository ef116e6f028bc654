import {
  AndNode,
  type KyselyPlugin,
  ParensNode,
  SelectQueryNode,
  sql,
  TableNode,
  WhereNode,
} from 'kysely'
import { CLOCK_FUNCTION } from './read-protocol.ts'

/**
 * Makes every select check its deadline for each row of its first table, before other conditions.
 * The function has an argument, or SQLite would call it once for all rows. The id is part of each
 * index, so the row itself need not be read.
 */
export const checkClockPerRow: KyselyPlugin = {
  transformQuery: ({ node }) => (SelectQueryNode.is(node) ? withClock(node) : node),
  transformResult: async ({ result }) => result,
}

/** A column of the primary key, of tables without an id. */
const KEYS: Readonly<Record<string, string>> = {
  checkout_counts: 'slot',
  payment_parts: 'payment_id',
  search_words: 'record_id',
  totals: 'slot',
}

function withClock(node: SelectQueryNode): SelectQueryNode {
  const from = node.from?.froms[0]
  if (from === undefined || !TableNode.is(from)) return node
  const { name } = from.table.identifier
  const key = sql.ref(`${name}.${KEYS[name] ?? 'id'}`)
  const isInTime = sql`${sql.raw(CLOCK_FUNCTION)}(${key})`.toOperationNode()
  const where = node.where
    ? AndNode.create(isInTime, ParensNode.create(node.where.where))
    : isInTime
  return { ...node, where: WhereNode.create(where) }
}
