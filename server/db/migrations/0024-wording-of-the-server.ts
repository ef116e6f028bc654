import { type Kysely, sql } from 'kysely'

/**
 * Removes wording that merchants saved for the pages where users sign in and approve platforms. It
 * was never shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from strings where substr(id, 1, 8) = 'sign_in.' or substr(id, 1, 10) = 'authorize.'`.execute(
    db,
  )
}
