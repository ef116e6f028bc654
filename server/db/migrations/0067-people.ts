import { type Kysely, sql } from 'kysely'
import { newId } from '../../ids.ts'

/** People of a merchant who are invited, changed and removed, and sessions that have an id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('name', 'text').execute()
  await db.schema
    .alterTable('users')
    .addColumn('v', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  for (const column of ['invitation', 'invitation_expires', 'last_seen', 'removed']) {
    await db.schema.alterTable('users').addColumn(column, 'text').execute()
  }
  await db.schema.createIndex('users_merchant').on('users').column('merchant_id').execute()

  await db.schema.alterTable('first_sign_ins').addColumn('user_id', 'text').execute()
  await db.schema
    .createIndex('first_sign_ins_user')
    .on('first_sign_ins')
    .column('user_id')
    .execute()

  await db.schema.alterTable('user_sessions').addColumn('id', 'text').execute()
  const sessions = await sql<{ hash: string }>`select hash from user_sessions`.execute(db)
  for (const { hash } of sessions.rows) {
    const id = newId('uss', Date.now())
    await sql`update user_sessions set id = ${id} where hash = ${hash}`.execute(db)
  }
  await db.schema
    .createIndex('user_sessions_id')
    .unique()
    .on('user_sessions')
    .column('id')
    .execute()
}
