/** One thing of a schema, such as `table charges` or `trigger x of charges`, and how it is defined. */
export interface SchemaPart {
  name: string
  definition: string
}

const NAMED_MAX = 10

/**
 * Throws an Error unless a database has exactly the parts that are expected. Anything beside them
 * could act on what we read and write: a trigger that pays somebody else, a view in place of a table.
 */
export function assertSameSchema(
  database: string,
  expected: readonly SchemaPart[],
  found: readonly SchemaPart[],
): void {
  const wanted = new Map(expected.map(({ name, definition }) => [name, definition]))
  const there = new Map(found.map(({ name, definition }) => [name, definition]))
  const problems = [
    ...[...there.keys()].filter((name) => !wanted.has(name)).map((name) => `${name} is too much`),
    ...[...wanted.keys()].filter((name) => !there.has(name)).map((name) => `${name} is missing`),
    ...[...there]
      .filter(([name, definition]) => wanted.has(name) && wanted.get(name) !== definition)
      .map(([name]) => `${name} is not defined as it must be`),
  ]
  if (problems.length === 0) return
  const more = problems.length > NAMED_MAX ? `, and ${problems.length - NAMED_MAX} more` : ''
  throw new Error(
    `${database} does not have the schema of Checkstand and nothing else: ` +
      `${problems.slice(0, NAMED_MAX).join(', ')}${more}. ` +
      'Remove what does not belong there, or use a database that Checkstand has made.',
  )
}
