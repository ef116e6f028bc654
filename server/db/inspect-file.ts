import { existsSync, statSync } from 'node:fs'
import { migrations } from './migrations/index.ts'
import { assertWritable, readFrom } from './sqlite-file.ts'

/** Whose a SQLite file is, told before anything opens it in a way that could change it. */

export interface InspectedFile {
  /** A blank one has no tables: the first start made it and did not come further. */
  holds: 'shop' | 'another program' | 'no table' | 'no byte' | 'nothing'
  /** Names of the steps of our schema that it has. */
  applied: string[]
}

const [FIRST_STEP] = Object.keys(migrations)

/** As every running server writes it; 0 until then. */
const OWN_APPLICATION_ID = 1_129_074_547

/**
 * A shop has merchants and the first step of our migrations. Its `application_id` proves nothing,
 * since it is written by the first probe of a running server, but one of another program does. Throws DamagedFile for what is no database.
 */
export function inspectFile(path: string): InspectedFile {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  if (bytes === undefined) return { holds: 'nothing', applied: [] }
  if (bytes === 0) return { holds: 'no byte', applied: [] }
  return readFrom(path, (db) => {
    const tables = db
      .prepare<[], string>("select name from sqlite_schema where type = 'table'")
      .pluck()
      .all()
    const applied = tables.includes('kysely_migration')
      ? db.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
      : []
    if (tables.length === 0) return { holds: 'no table', applied }
    const id = db.pragma('application_id', { simple: true })
    if (id !== 0 && id !== OWN_APPLICATION_ID) return { holds: 'another program', applied }
    const isOurs = tables.includes('merchants') && applied.some((name) => name === FIRST_STEP)
    return { holds: isOurs ? 'shop' : 'another program', applied }
  })
}

/** Throws unless there is a shop at the path, such as one that is to be restored. */
export function assertCheckstandFile(path: string): InspectedFile {
  const found = inspectFile(path)
  if (found.holds === 'nothing') throw new Error(`There is no database at ${path}`)
  if (found.holds === 'another program') throw anotherProgram(path)
  if (found.holds !== 'shop')
    throw new Error(`${path} is not a database of Checkstand: it is empty`)
  return found
}

/**
 * Throws unless the path has a shop, or room for a new one. A file without a byte is no such room:
 * where a shop was, a new one must not take its place in silence.
 */
export function assertCheckstandOrEmpty(path: string): InspectedFile {
  // First, since reading leaves a file beside it that nobody could write to either.
  if (existsSync(path)) assertWritable(path)
  const found = inspectFile(path)
  if (found.holds === 'another program') throw anotherProgram(path)
  if (found.holds === 'no byte') {
    throw new Error(
      `${path} is empty. Remove it to begin anew, or put a backup in its place: ` +
        'npx checkstand restore <file> --replace',
    )
  }
  return found
}

function anotherProgram(path: string): Error {
  return new Error(
    `${path} is not a database of Checkstand: it has tables of another program. ` +
      'Name another file, or move this one away.',
  )
}
