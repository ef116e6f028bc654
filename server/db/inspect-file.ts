import { existsSync, statSync } from 'node:fs'
import { migrations } from './migrations/index.ts'
import { assertWritable, readDatabase } from './sqlite-file.ts'

export interface InspectedFile {
  /** `no tables`: a first start created the file and was interrupted. */
  content: 'checkstand' | 'another program' | 'no tables' | 'empty file' | 'no file'
  /** Names of its migrations. */
  applied: string[]
}

const [FIRST_STEP] = Object.keys(migrations)

/** The `application_id` that every running server writes; 0 before. */
const OWN_APPLICATION_ID = 1_129_074_547

/**
 * Reads what a SQLite file contains without changing it. A Checkstand database has merchants and the
 * first migration; it may lack its `application_id`, but has no other. Throws DamagedFile.
 */
export function inspectFile(path: string): InspectedFile {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  if (bytes === undefined) return { content: 'no file', applied: [] }
  if (bytes === 0) return { content: 'empty file', applied: [] }
  return readDatabase(path, (db) => {
    const tables = db
      .prepare<[], string>("select name from sqlite_schema where type = 'table'")
      .pluck()
      .all()
    const applied = tables.includes('kysely_migration')
      ? db.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
      : []
    if (tables.length === 0) return { content: 'no tables', applied }
    const id = db.pragma('application_id', { simple: true })
    if (id !== 0 && id !== OWN_APPLICATION_ID) return { content: 'another program', applied }
    const isOurs = tables.includes('merchants') && applied.some((name) => name === FIRST_STEP)
    return { content: isOurs ? 'checkstand' : 'another program', applied }
  })
}

/** Throws unless the file is a Checkstand database. */
export function assertCheckstandFile(path: string): InspectedFile {
  const found = inspectFile(path)
  if (found.content === 'no file') throw new Error(`There is no database at ${path}`)
  if (found.content === 'another program') throw anotherProgram(path)
  if (found.content !== 'checkstand')
    throw new Error(`${path} is not a database of Checkstand: it is empty`)
  return found
}

/**
 * Throws unless the path has a Checkstand database, or a new one can be created there. Throws for an
 * empty file: it may be a lost database, which must not be replaced silently.
 */
export function assertCheckstandOrEmpty(path: string): InspectedFile {
  // First, since reading creates a side file that could not be written either.
  if (existsSync(path)) assertWritable(path)
  const found = inspectFile(path)
  if (found.content === 'another program') throw anotherProgram(path)
  if (found.content === 'empty file') {
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
