import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { GroupCommitFailed } from './group-commit.ts'
import { inTransaction, isUniqueViolation } from './transaction.ts'
import { DatabaseLocked } from './unreachable.ts'

interface Schema {
  items: { id: string; n: number }
}

const warn = vi.fn<(fields: object, message: string) => void>()
const opened = await openEmptyDatabase<Schema>({ log: { warn } })
await sql`create table items (id text primary key, n bigint not null)`.execute(opened.db)
beforeEach(async () => {
  warn.mockClear()
  await opened.db.deleteFrom('items').execute()
})

const ids = async () => {
  const rows = await opened.db.selectFrom('items').select('id').execute()
  return rows.map(({ id }) => id).toSorted()
}

describe('inTransaction', () => {
  it('returns the result of its function once it is durable', async () => {
    const result = await inTransaction(opened.db, async (trx) => {
      await trx.insertInto('items').values({ id: 'a', n: 1 }).execute()
      return 42
    })
    expect(result).toBe(42)
    expect(await ids()).toEqual(['a'])
  })

  it.each([
    new GroupCommitFailed(new Error('disk')),
    new DatabaseLocked(new Error('busy')),
    Object.assign(new Error('could not serialise'), { code: '40001' }),
    Object.assign(new Error('deadlock'), { code: '40P01' }),
    Object.assign(new Error('locked'), { code: 'SQLITE_BUSY_SNAPSHOT' }),
  ])('runs again after %s and keeps only the last attempt', async (error) => {
    let attempt = 0
    await inTransaction(opened.db, async (trx) => {
      attempt += 1
      await trx
        .insertInto('items')
        .values({ id: `attempt${attempt}`, n: 1 })
        .execute()
      if (attempt < 3) throw error
    })
    expect(await ids()).toEqual(['attempt3'])
  })

  it('gives up after four attempts with the error of the last one', async () => {
    let attempt = 0
    const running = inTransaction(opened.db, async () => {
      attempt += 1
      throw new GroupCommitFailed(`attempt ${attempt}`)
    })
    await expect(running).rejects.toMatchObject({ cause: 'attempt 4' })
    expect(attempt).toBe(4)
  })

  it('does not retry other errors', async () => {
    let attempt = 0
    const running = inTransaction(opened.db, async () => {
      attempt += 1
      throw new Error('amount must be positive')
    })
    await expect(running).rejects.toThrow('amount must be positive')
    expect(attempt).toBe(1)
  })

  it('loses no update when two transactions read the same row before writing', async () => {
    await opened.db.insertInto('items').values({ id: 'counter', n: 0 }).execute()
    const bothHaveRead = Promise.withResolvers<void>()
    let reads = 0
    const addOne = () =>
      inTransaction(
        opened.db,
        async (trx) => {
          const { n } = await trx
            .selectFrom('items')
            .select('n')
            .where('id', '=', 'counter')
            .executeTakeFirstOrThrow()
          reads += 1
          if (reads === 2) bothHaveRead.resolve()
          // SQLite starts the second one after the first, so they do not conflict.
          if (opened.kind === 'postgres') await bothHaveRead.promise
          await trx
            .updateTable('items')
            .set({ n: n + 1 })
            .where('id', '=', 'counter')
            .execute()
        },
        { isolation: 'serializable' },
      )
    await Promise.all([addOne(), addOne()])
    const { n } = await opened.db.selectFrom('items').select('n').executeTakeFirstOrThrow()
    expect(n).toBe(2)
  })

  it('lets one of many win a compare-and-set', async () => {
    await opened.db.insertInto('items').values({ id: 'claim', n: 0 }).execute()
    const wins = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        inTransaction(opened.db, async (trx) => {
          const { rows } = await sql<{ n: number }>`
            update items set n = ${i + 1} where id = 'claim' and n = 0 returning n
          `.execute(trx)
          return rows.length
        }),
      ),
    )
    expect(wins.filter((won) => won === 1)).toHaveLength(1)
  })

  it('is logged when it stays open for more than 50 ms', async () => {
    await inTransaction(opened.db, async (trx) => {
      // Measured inside, because a busy machine may take longer to start it.
      const until = performance.now() + 60
      while (performance.now() < until) await trx.selectFrom('items').select('id').execute()
    })
    const held = warn.mock.calls.map(([fields]) => ('heldMs' in fields ? fields.heldMs : 0))
    expect(Math.max(...held.map(Number))).toBeGreaterThanOrEqual(50)
  })
})

describe('isUniqueViolation', () => {
  it('distinguishes a repeated key from other errors', async () => {
    await opened.db.insertInto('items').values({ id: 'a', n: 1 }).execute()
    const repeated = opened.db.insertInto('items').values({ id: 'a', n: 2 }).execute()
    await expect(repeated).rejects.toSatisfy(isUniqueViolation)
    const missing = sql`insert into items (id) values ('b')`.execute(opened.db)
    await expect(missing).rejects.not.toSatisfy(isUniqueViolation)
  })
})

describe('any interleaving of transactions', () => {
  const step = fc.constantFrom('write', 'read', 'yield' as const)
  const plan = fc.record({
    steps: fc.array(step, { maxLength: 4 }),
    ending: fc.constantFrom('commit', 'commit', 'throw', 'repeat a key', 'single' as const),
  })

  it('leaves exactly the rows of those that resolved', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 14 }), async (plans) => {
        await opened.db.deleteFrom('items').execute()
        await opened.db.insertInto('items').values({ id: 'taken', n: 0 }).execute()
        const run = async ({ steps, ending }: (typeof plans)[number], i: number) => {
          if (ending === 'single') {
            await opened.db
              .insertInto('items')
              .values({ id: `${i}.single`, n: i })
              .execute()
            return [`${i}.single`]
          }
          return inTransaction(opened.db, async (trx) => {
            const written: string[] = []
            for (const [s, what] of steps.entries()) {
              if (what === 'yield') await new Promise(setImmediate)
              if (what === 'read') await trx.selectFrom('items').selectAll().execute()
              if (what !== 'write') continue
              const id = `${i}.${s}`
              await trx.insertInto('items').values({ id, n: s }).execute()
              written.push(id)
            }
            if (ending === 'throw') throw new Error('planned')
            if (ending === 'repeat a key') {
              await trx.insertInto('items').values({ id: 'taken', n: 1 }).execute()
            }
            return written
          })
        }
        const outcomes = await Promise.allSettled(plans.map(run))
        const failed = outcomes.map(({ status }) => status === 'rejected')
        const expected = plans.map(({ ending }) => ending === 'throw' || ending === 'repeat a key')
        expect(failed).toEqual(expected)
        const kept = outcomes.flatMap((outcome) =>
          outcome.status === 'fulfilled' ? outcome.value : [],
        )
        expect(await ids()).toEqual(['taken', ...kept].toSorted())
      }),
      { numRuns: 60 },
    )
  })
})
