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
 * Has every select look at the clock for each row of its first table, before anything else is asked
 * of the row. The function is given a column, since SQLite would call it once for all rows otherwise;
 * the column is the id, which indexes hold, so that the row itself need not be read for it.
 */
export const addStatementClock: KyselyPlugin = {
  transformQuery: ({ node }) => (SelectQueryNode.is(node) ? withClock(node) : node),
  transformResult: async ({ result }) => result,
}

function withClock(node: SelectQueryNode): SelectQueryNode {
  const from = node.from?.froms[0]
  if (from === undefined || !TableNode.is(from)) return node
  const id = sql.ref(`${from.table.identifier.name}.id`)
  const isInTime = sql`${sql.raw(CLOCK_FUNCTION)}(${id})`.toOperationNode()
  const where = node.where
    ? AndNode.create(isInTime, ParensNode.create(node.where.where))
    : isInTime
  return { ...node, where: WhereNode.create(where) }
}
