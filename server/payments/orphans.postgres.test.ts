import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { createPresence, listAbsentOwners } from '../db/presence.ts'
import { createLog } from '../observe/log.ts'
import { startTestApp } from '../testing/app.ts'
import { CARDS, newLink, openPayer } from '../testing/payer.ts'
import { createOrphanSearch } from './orphans.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const presence = createPresence(deps.config.databaseUrl, createLog('silent'))
afterAll(() => presence.close())

/** A call that is under way, of the process with that number. */
async function callOf(owner: string | null): Promise<string> {
  const { id } = await newLink(app.merchant)
  await (await openPayer(app, id)).payByCard(CARDS.approve)
  const attempt = await deps.db
    .selectFrom('attempts')
    .select('id')
    .where('payment_link_id', '=', id)
    .executeTakeFirstOrThrow()
  await deps.db
    .updateTable('attempts')
    .set({ state: 'SENT', next_check: IN_HALF_A_MINUTE, owner })
    .where('id', '=', attempt.id)
    .execute()
  return attempt.id
}

const IN_HALF_A_MINUTE = new Date(app.now() + 30_000).toISOString()
const checkOf = async (id: string) =>
  (
    await deps.db
      .selectFrom('attempts')
      .select('next_check')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).next_check

const held = () => expect.poll(() => presence.owner(), { timeout: 20_000 }).not.toBeNull()

describe('a call that is under way', () => {
  it('of a process that is gone is asked about now, after a second look', async () => {
    const [lost, unknown] = [await callOf('7'), await callOf(null)]
    const search = createOrphanSearch()
    expect(await search(deps)).toBe(0)
    expect(await checkOf(lost)).toBe(IN_HALF_A_MINUTE)
    expect(await search(deps)).toBe(1)
    expect(await checkOf(lost)).toBe(new Date(app.now()).toISOString())
    expect(await checkOf(unknown)).toBe(IN_HALF_A_MINUTE)
    expect(await search(deps)).toBe(0)
  })

  it('of a process that lives is left alone', async () => {
    await held()
    const call = await callOf(presence.owner())
    const search = createOrphanSearch()
    for (let look = 0; look < 3; look += 1) expect(await search(deps)).toBe(0)
    expect(await checkOf(call)).toBe(IN_HALF_A_MINUTE)
  })

  it('of a process that was back at the second look is left alone', async () => {
    await held()
    const other = createPresence(deps.config.databaseUrl, createLog('silent'))
    await expect.poll(() => other.owner(), { timeout: 20_000 }).not.toBeNull()
    const call = await callOf('8')
    const search = createOrphanSearch()
    expect(await search(deps)).toBe(0)
    await deps.db
      .updateTable('attempts')
      .set({ owner: other.owner() })
      .where('id', '=', call)
      .execute()
    expect(await search(deps)).toBe(0)
    await other.close()
    expect(await listAbsentOwners(deps.db)).toHaveLength(1)
  })
})

it('a process whose connection broke is soon known by the same number again', async () => {
  await held()
  const before = presence.owner()
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'checkstand presence' and datname = current_database()
  `.execute(deps.db)
  await expect.poll(() => presence.owner(), { timeout: 20_000, interval: 1 }).toBeNull()
  await held()
  expect(presence.owner()).toBe(before)
})
