import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  ColumnUpdateNode,
  InsertQueryNode,
  type OperationNode,
  ReferenceNode,
  TableNode,
  UpdateQueryNode,
  ValueNode,
  WhereNode,
} from 'kysely'

/** What a statement does, and the same statement without some of it. */

export function isUpdate(node: OperationNode, table: string): node is UpdateQueryNode {
  if (!UpdateQueryNode.is(node)) return false
  const { table: named } = node
  return named !== undefined && TableNode.is(named) && named.table.identifier.name === table
}

/** The statement without its conditions on a column. */
export function without(node: UpdateQueryNode, column: string): UpdateQueryNode {
  const kept = node.where && conditions(node.where.where).filter((at) => columnOf(at) !== column)
  const [first, ...rest] = kept ?? []
  if (!first) return node
  const where = rest.reduce((left, right) => AndNode.create(left, right), first)
  return { ...node, where: WhereNode.create(where) }
}

export function valueOf(node: UpdateQueryNode, column: string): unknown {
  const found = conditions(node.where?.where).find((at) => columnOf(at) === column)
  const operand = found && BinaryOperationNode.is(found) ? found.rightOperand : undefined
  return operand && 'value' in operand ? operand.value : undefined
}

function conditions(node: OperationNode | undefined): OperationNode[] {
  if (!node) return []
  return AndNode.is(node) ? [...conditions(node.left), ...conditions(node.right)] : [node]
}

function columnOf(node: OperationNode): string | undefined {
  if (!BinaryOperationNode.is(node) || !ReferenceNode.is(node.leftOperand)) return undefined
  const { column } = node.leftOperand
  return ColumnNode.is(column) ? column.column.name : undefined
}

export function inserts(node: OperationNode, table: string): node is InsertQueryNode {
  return InsertQueryNode.is(node) && node.into?.table.identifier.name === table
}

/** Whether the statement sets a column; to `value` if that is given. */
export function sets(
  node: OperationNode,
  table: string,
  column: string,
  value?: unknown,
): node is UpdateQueryNode {
  if (!isUpdate(node, table)) return false
  return (node.updates ?? []).some(
    (update) =>
      ColumnNode.is(update.column) &&
      update.column.column.name === column &&
      (value === undefined || (ValueNode.is(update.value) && update.value.value === value)),
  )
}

/** The statement with its condition on the id alone. */
export function onlyById(node: UpdateQueryNode): UpdateQueryNode {
  const byId = conditions(node.where?.where).find((at) => columnOf(at) === 'id')
  return byId ? { ...node, where: WhereNode.create(byId) } : node
}

/** The statement with further columns to set. */
export function withValues(
  node: UpdateQueryNode,
  values: Record<string, unknown>,
): UpdateQueryNode {
  const more = Object.entries(values).map(([name, value]) =>
    ColumnUpdateNode.create(ColumnNode.create(name), ValueNode.create(value)),
  )
  return { ...node, updates: [...(node.updates ?? []), ...more] }
}
