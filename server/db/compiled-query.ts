import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'

/** Where a value goes when the statement is run. */
class Place {
  readonly name: string
  /** Where in a list. */
  readonly index: number | undefined

  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }
}

/**
 * A statement that is built once and run many times: building one anew takes several times as long
 * as running it (architecture section 9). For what every request or payment runs; elsewhere plain
 * queries read better.
 *
 * `build` gets places in stead of values and must not look at them. It may look at which members are
 * there, since every set of members has its own statement; a member that is undefined is not there.
 * A list is one as long as that of the values, which is therefore better a batch (`batches.ts`).
 */
export function compiledQuery<Database, Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  /** By the database's kind, and then by the names of the members. */
  const built = new Map<unknown, Map<string, CompiledQuery<Row>>>()
  return function run(db, values) {
    const given = values as Record<string, unknown>
    const { adapter, plugins } = db.getExecutor()
    // A plugin may make another statement of it, and may look at the values.
    if (plugins.length > 0) return db.executeQuery<Row>(build(db, values))
    const names = Object.keys(given).filter((name) => given[name] !== undefined)
    const ofKind = built.get(adapter.constructor) ?? new Map<string, CompiledQuery<Row>>()
    built.set(adapter.constructor, ofKind)
    const shape = shapeOf(given, names)
    let query = ofKind.get(shape)
    if (!query) {
      query = build(db, placesFor(given, names) as Values).compile()
      ofKind.set(shape, query)
    }
    const parameters = query.parameters.map((parameter) => valueAt(parameter, given))
    return db.executeQuery<Row>({ ...query, parameters })
  }
}

function shapeOf(given: Record<string, unknown>, names: readonly string[]): string {
  let shape = ''
  for (const name of names) {
    const value = given[name]
    shape += Array.isArray(value) ? `${name}*${value.length},` : `${name},`
  }
  return shape
}

function placesFor(given: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => {
      const value = given[name]
      const list = Array.isArray(value)
      return [name, list ? value.map((_, index) => new Place(name, index)) : new Place(name)]
    }),
  )
}

function valueAt(parameter: unknown, given: Record<string, unknown>): unknown {
  if (!(parameter instanceof Place)) return parameter
  const value = given[parameter.name]
  return parameter.index === undefined ? value : (value as unknown[])[parameter.index]
}
