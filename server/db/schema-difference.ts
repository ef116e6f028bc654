/** An object of a schema. `name` is such as `table charges` or `trigger x of charges`. */
export interface SchemaPart {
  name: string
  definition: string
}

const SHOWN_MAX = 10

/**
 * Throws an Error unless a database has exactly the expected schema. A foreign trigger or view could
 * change what the server reads and writes.
 */
export function assertSameSchema(
  database: string,
  expected: readonly SchemaPart[],
  found: readonly SchemaPart[],
): void {
  const expectedParts = new Map(expected.map(({ name, definition }) => [name, definition]))
  const foundParts = new Map(found.map(({ name, definition }) => [name, definition]))
  const problems = [
    ...[...foundParts.keys()]
      .filter((name) => !expectedParts.has(name))
      .map((name) => `${name} is unexpected`),
    ...[...expectedParts.keys()]
      .filter((name) => !foundParts.has(name))
      .map((name) => `${name} is missing`),
    ...[...foundParts]
      .filter(
        ([name, definition]) => expectedParts.has(name) && expectedParts.get(name) !== definition,
      )
      .map(([name]) => `${name} has another definition`),
  ]
  if (problems.length === 0) return
  const more = problems.length > SHOWN_MAX ? `, and ${problems.length - SHOWN_MAX} more` : ''
  throw new Error(
    `${database} does not have exactly the schema of Checkstand: ` +
      `${problems.slice(0, SHOWN_MAX).join(', ')}${more}. ` +
      'Remove unexpected objects, or use a database that Checkstand created.',
  )
}
