import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { openDatabase } from './open.ts'
import { DatabaseTimeout } from './query-timeout.ts'

const ANSWER_MS = 300

async function openSilenceable() {
  const database = await openTestDatabase()
  const wire = await startTcpProxy(database.url)
  const opened = await openDatabase<object>(wire.url, { answerMs: ANSWER_MS })
  onTestFinished(async () => {
    await opened.close()
    wire.close()
  })
  const pid = async (db = opened.db) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  return { wire, opened, pid }
}

it('statements time out when PostgreSQL stops responding, in a transaction or without', async () => {
  const { wire, opened, pid } = await openSilenceable()
  const inside = opened.db.transaction().execute(async (tx) => {
    await pid(tx)
    wire.silence()
    await pid(tx)
  })
  await expect(inside).rejects.toThrow(DatabaseTimeout)
  wire.mend()
  await pid()
  wire.silence()
  await expect(pid()).rejects.toThrow(DatabaseTimeout)
  wire.mend()
  await pid()
  wire.silence()
  await expect(opened.ping()).rejects.toThrow(DatabaseTimeout)
})

it('a connection that timed out is never used again, even if it responds later', async () => {
  const { opened, pid } = await openSilenceable()
  const first = await pid()
  await expect(sql`select pg_sleep(0.5)`.execute(opened.db)).rejects.toThrow(DatabaseTimeout)
  expect(await pid()).not.toBe(first)
})

it('only a transaction that disables the statement timeout does not time out', async () => {
  const { opened } = await openSilenceable()
  await opened.db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_sleep(0.5)`.execute(tx)
  })
  const after = opened.db.transaction().execute((tx) => sql`select pg_sleep(0.5)`.execute(tx))
  await expect(after).rejects.toThrow(DatabaseTimeout)
})
