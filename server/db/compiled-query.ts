import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'

class Placeholder {
  readonly name: string
  /** Position in a list. */
  readonly index: number | undefined

  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }
}

/**
 * A statement that is built once and run many times. Building takes several times as long as
 * running it, so this is for queries of every request or payment.
 *
 * `build` receives placeholders instead of values and must not inspect them. It may branch on which
 * keys are present: each set of keys, without undefined ones, is compiled once. A list is compiled
 * once per length, so it should be a batch of `batches.ts`.
 */
export function compiledQuery<Database, Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  /** By adapter class and shape. */
  const compiled = new Map<unknown, Map<string, CompiledQuery<Row>>>()
  return function run(db, values) {
    const params = values as Record<string, unknown>
    const { adapter, plugins } = db.getExecutor()
    // A plugin may change the statement and inspect the values.
    if (plugins.length > 0) return db.executeQuery<Row>(build(db, values))
    const names = Object.keys(params).filter((name) => params[name] !== undefined)
    const byShape = compiled.get(adapter.constructor) ?? new Map<string, CompiledQuery<Row>>()
    compiled.set(adapter.constructor, byShape)
    const shape = shapeOf(params, names)
    let query = byShape.get(shape)
    if (!query) {
      query = build(db, placeholders(params, names) as Values).compile()
      byShape.set(shape, query)
    }
    const parameters = query.parameters.map((parameter) => valueAt(parameter, params))
    return db.executeQuery<Row>({ ...query, parameters })
  }
}

function shapeOf(params: Record<string, unknown>, names: readonly string[]): string {
  let shape = ''
  for (const name of names) {
    const value = params[name]
    shape += Array.isArray(value) ? `${name}*${value.length},` : `${name},`
  }
  return shape
}

function placeholders(params: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => {
      const value = params[name]
      const list = Array.isArray(value)
      return [
        name,
        list ? value.map((_, index) => new Placeholder(name, index)) : new Placeholder(name),
      ]
    }),
  )
}

function valueAt(parameter: unknown, params: Record<string, unknown>): unknown {
  if (!(parameter instanceof Placeholder)) return parameter
  const value = params[parameter.name]
  return parameter.index === undefined ? value : (value as unknown[])[parameter.index]
}
