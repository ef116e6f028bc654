import {
  AndNode,
  type KyselyPlugin,
  ParensNode,
  type RawBuilder,
  SelectQueryNode,
  type SqlBool,
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
  payment_parts: 'payment_id',
  search_words: 'record_id',
}

/** Tables of times, whose rows are read by the ten thousand and cost less than the function. */
const TABLES_OF_SLOTS = new Set(['checkout_counts', 'totals'])
/** Slots for which the deadline is checked once. */
const SLOTS_PER_CHECK = 64

function withClock(node: SelectQueryNode): SelectQueryNode {
  const from = node.from?.froms[0]
  if (from === undefined || !TableNode.is(from)) return node
  const { name } = from.table.identifier
  const isInTime = checkOf(name).toOperationNode()
  const where = node.where
    ? AndNode.create(isInTime, ParensNode.create(node.where.where))
    : isInTime
  return { ...node, where: WhereNode.create(where) }
}

function checkOf(table: string): RawBuilder<SqlBool> {
  const check = sql.raw(CLOCK_FUNCTION)
  if (!TABLES_OF_SLOTS.has(table))
    return sql`${check}(${sql.ref(`${table}.${KEYS[table] ?? 'id'}`)})`
  const slot = sql.ref(`${table}.slot`)
  return sql`(${slot} % ${sql.lit(SLOTS_PER_CHECK)} <> 0 or ${check}(${slot}))`
}
