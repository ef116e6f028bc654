import { type Kysely, sql } from 'kysely'

/** A method that is being saved by a deep link reserves a use of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update deep_links set reserved_uses = (
      select count(*) from method_setups
      inner join deep_link_sessions on deep_link_sessions.id = method_setups.session_id
      where deep_link_sessions.deep_link_id = deep_links.id
        and method_setups.state <> 'DONE' and method_setups.set_aside = 0)
    where action in ('ADD_PAYMENT_METHOD', 'MANAGE_CONTRACT')`.execute(db)
}
