/** Records that change with others. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  payments: ['capture', 'refund', 'reversal', 'void'],
  payment_links: ['payment'],
}

/** Returns whether an event of this type may change a list. */
export function concernsList(list: string, type: string): boolean {
  if (list === 'events') return true
  const resource = type.slice(0, type.indexOf('.'))
  return `${resource}s` === list || (ALSO[list]?.includes(resource) ?? false)
}

/**
 * Returns the rows of a list with what changed since they were shown, in the places where they were, and
 * the number of rows that are new, because a list must not move under the pointer.
 */
export function mergeRows<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  id: (row: Row) => string,
): { rows: readonly Row[]; added: number } {
  const byId = new Map(latest.map((row) => [id(row), row]))
  const rows = shown.map((row) => byId.get(id(row)) ?? row)
  const known = new Set(shown.map(id))
  return { rows, added: latest.filter((row) => !known.has(id(row))).length }
}
