import {
  ColumnNode,
  ColumnUpdateNode,
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  RawNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  UpdateQueryNode,
  WhereNode,
} from 'kysely'
import type { Db } from '../../server/db/tables.ts'

/** How much later, in milliseconds. */
const LATER_MS = 1000

/**
 * A database that makes some statements in a transaction of their own, a while after the one that they
 * belong to: what comes of them is lost when the server dies in between. An update returns the row as it
 * was until then, an insert nothing.
 */
export function writeLater(db: Db, isLate: (node: OperationNode) => boolean): Db {
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (!isLate(node)) return node
      const late = db.getExecutor().compileQuery(node, queryId)
      setTimeout(() => void db.executeQuery(late).catch(() => {}), LATER_MS)
      return withoutEffect(node)
    },
    transformResult: async ({ result }) => result,
  }
  return db.withPlugin(plugin)
}

/** The same statement, changing nothing. */
function withoutEffect(node: RootOperationNode): RootOperationNode {
  if (UpdateQueryNode.is(node)) {
    const id = ColumnNode.create('id')
    return { ...node, updates: [ColumnUpdateNode.create(id, id)] }
  }
  if (!InsertQueryNode.is(node) || !node.into) throw new Error('an insert or update was expected')
  const columns = (node.columns ?? []).map((column) => SelectionNode.create(column))
  const none = SelectQueryNode.cloneWithSelections(SelectQueryNode.createFrom([node.into]), columns)
  const values: SelectQueryNode = {
    ...none,
    where: WhereNode.create(RawNode.createWithSql('1 = 0')),
  }
  return { ...node, values }
}
