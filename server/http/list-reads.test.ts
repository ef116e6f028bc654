import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '../app.ts'
import type { Reads } from '../db/reads.ts'
import type { Tables } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { type ApiResponse, merchantApi, createCaller, startTestApp } from '../../test/app.ts'
import { createListReads } from './list-reads.ts'

const app = await startTestApp()
const { api } = app.merchant
const { checkstand } = app
const { deps, database } = checkstand

/** The server with other `reads` or `expand`. */
function serverWith(
  reads: Reads<Tables>,
  { waitingMax, expand = deps.expand }: { waitingMax?: number; expand?: Deps['expand'] } = {},
) {
  const lists = createListReads(reads, deps, { ...(waitingMax !== undefined && { waitingMax }) })
  const built = createApp({ ...deps, listReads: lists, expand }, checkstand.parts)
  const call = createCaller({ ...checkstand, fetch: built.app.fetch })
  return { api: merchantApi(call, app.merchant), call }
}

const counted = (event: Parameters<typeof deps.security.record>[0]) =>
  deps.security.counts().get(event) ?? 0

describe('a list that times out', () => {
  it('is rejected with advice to narrow it, and counted', async () => {
    const slow = serverWith({
      ...database.reads,
      read: (work) =>
        database.reads.read(async (db) => {
          const things = db.withTables<{ things: { id: string } }>()
          await things
            .selectFrom('things')
            .select('things.id')
            .where(sql<boolean>`(select count(*) from things b
              where things.id || b.id = '') > 0`)
            .execute()
          return work(db)
        }),
    })
    await sql`create table things (id text primary key)`.execute(deps.db)
    const ids = Array.from({ length: 10_000 }, (_, n) => ({ id: `thing-${n}` }))
    await deps.db
      .withTables<{ things: { id: string } }>()
      .insertInto('things')
      .values(ids)
      .execute()

    const before = counted('list_too_slow')
    const { status, json } = await slow.api('/accounts?criteria=company~=e')
    expect([status, json.error]).toEqual([
      400,
      {
        type: 'INVALID_REQUEST',
        message:
          'criteria takes the database more than 2 s; ' +
          'add a condition on created or id, or name exact values',
      },
    ])
    expect(counted('list_too_slow')).toBe(before + 1)
    expect((await api('/accounts')).status).toBe(200)
  })
})

describe('an instance with many concurrent lists', () => {
  it('queues its lists, is rejected beyond a limit, and does not delay others', async () => {
    const held = Promise.withResolvers<void>()
    let begun = 0
    const reads: Reads<Tables> = {
      ...database.reads,
      slots: 2,
      read: async (work) => {
        begun += 1
        if (begun === 1) await held.promise
        return database.reads.read(work)
      },
    }
    const { api: own, call } = serverWith(reads, { waitingMax: 3 })
    const before = counted('lists_waiting')
    const refused: ApiResponse[] = []
    const requests = Array.from({ length: 6 }, async () => {
      const response = await own('/accounts')
      if (response.status !== 200) refused.push(response)
      return response.status
    })
    // One runs, three wait, and the others are rejected immediately.
    await vi.waitFor(() => expect(refused).toHaveLength(2), { timeout: 8000 })
    for (const { status, json, headers } of refused) {
      expect([status, json.error.type]).toEqual([429, 'TOO_MANY_REQUESTS'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }

    const other = await app.newMerchant()
    expect((await merchantApi(call, other)('/accounts')).status).toBe(200)
    expect(begun).toBe(2)
    held.resolve()
    const answered = (await Promise.all(requests)).filter((status) => status === 200)
    expect(answered).toHaveLength(4)
    expect(counted('lists_waiting')).toBe(before + 2)
  })
})

describe('lists that are being serialized', () => {
  it('delay the next read, to limit memory', async () => {
    const merchants = [app.merchant, await app.newMerchant(), await app.newMerchant()]
    const written = Promise.withResolvers<void>()
    let read = 0
    let writing = 0
    const reads: Reads<Tables> = {
      ...database.reads,
      slots: 2,
      read: (work) => {
        read += 1
        return database.reads.read(work)
      },
    }
    const { call } = serverWith(reads, {
      expand: async (...args) => {
        writing += 1
        await written.promise
        return deps.expand(...args)
      },
    })
    const [first, second, third] = merchants.map((merchant) => merchantApi(call, merchant))
    const begun = [first?.('/accounts'), second?.('/accounts')]
    await vi.waitFor(() => expect(writing).toBe(2), { timeout: 8000 })
    const waiting = third?.('/accounts')
    // Long enough for ten lists of others, so that a started read would have ended.
    for (let n = 0; n < 10; n += 1) await api('/accounts')
    expect([read, writing]).toEqual([2, 2])
    written.resolve()
    for (const response of await Promise.all([...begun, waiting]))
      expect(response?.status).toBe(200)
    expect([read, writing]).toEqual([3, 3])
  })
})

describe('a list with more than ten megabytes', () => {
  /** As large as an account may be, and as many as are over ten megabytes. */
  const metadata = { a: 'x'.repeat(5000), b: 'x'.repeat(5000), c: 'x'.repeat(5000) }
  const MANY = 700
  const message = 'limit would return more than 10 MB; lower limit or expand less'

  const createMany = (create: (n: number) => Promise<{ status: number }>) =>
    Promise.all(
      Array.from({ length: MANY }, async (_, n) => expect((await create(n)).status).toBe(200)),
    )

  it('of its own records is rejected, and a smaller page is returned', async () => {
    const { api: rich } = await app.newMerchant()
    await createMany((n) =>
      rich('/accounts', { body: { account: { crm_key: `c_${n}`, metadata } } }),
    )
    const before = counted('list_too_large')
    const { status, json } = await rich('/accounts?limit=1000')
    expect([status, json.error?.message]).toEqual([400, message])
    expect(counted('list_too_large')).toBe(before + 1)
    const some = await rich('/accounts?limit=500')
    expect([some.status, some.json.accounts?.length, some.json.meta]).toEqual([
      200,
      500,
      { limit: 500, offset: 0, total: MANY },
    ])
  })

  it('of expanded records is rejected too', async () => {
    const { api: rich, instance } = await app.newMerchant()
    const { json } = await rich('/accounts', { body: { account: { crm_key: 'c', metadata } } })
    const payment_link = { options: { amount: '1.00', account: json.account.id } }
    await createMany(() => rich('/payment_links', { body: { payment_link } }))
    await deps.db
      .updateTable('payment_links')
      .set({ status: 'PAYMENT_SUCCESS', account_id: json.account.id })
      .where('instance_id', '=', instance.id)
      .execute()
    expect((await rich('/payment_links?limit=1000')).status).toBe(200)
    const expanded = await rich('/payment_links?expand=account&limit=1000')
    expect([expanded.status, expanded.json.error?.message]).toEqual([400, message])
    expect((await rich('/payment_links?expand=account&limit=500')).status).toBe(200)
  })
})
