import { type Kysely, sql } from 'kysely'

/** Deletes merchants' strings for the sign-in and consent pages. They were never shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from strings where substr(id, 1, 8) = 'sign_in.' or substr(id, 1, 10) = 'authorize.'`.execute(
    db,
  )
}
