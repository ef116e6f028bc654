import { setTimeout } from 'node:timers/promises'
import { statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import type { Reads } from './reads.ts'

const MEGABYTE = 1_000_000

interface Texts {
  texts: { id: string; text: string }
}

async function openTexts({ bytesMax }: { bytesMax: number }) {
  const walBounds = { bytesMax, checkMs: 0, retryMs: 0 }
  const opened = await openEmptyDatabase<Texts>({ walBounds })
  await sql`create table texts (id text primary key, text text)`.execute(opened.db)
  let made = 0
  return {
    ...opened,
    logSize: () => statSync(`${opened.path}-wal`).size,
    /** Writes about as many bytes. */
    write: async (bytes: number) => {
      for (let n = 0; n < bytes / 20_000; n += 1) {
        made += 1
        const row = { id: `text-${made}`, text: 'x'.repeat(16_000) }
        await opened.db.insertInto('texts').values(row).execute()
      }
    },
  }
}

/** Has one read begin before the last one ends, as long as reads may overlap at all. */
async function readWithoutBreak(
  reads: Reads<Texts>,
  times: number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  let endLast = () => {}
  const all: Promise<void>[] = []
  for (let n = 0; n < times; n += 1) {
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    all.push(
      reads.read(async (db) => {
        await db.selectFrom('texts').select('id').limit(1).execute()
        begun.resolve()
        await end.promise
      }),
    )
    // It may be waiting for the last one to end.
    await Promise.race([begun.promise, setTimeout(200)])
    endLast()
    endLast = end.resolve
    await meanwhile()
  }
  endLast()
  await Promise.all(all)
}

describe('the write-ahead log of a SQLite file', () => {
  it('stays short under continuously overlapping reads', async () => {
    const { reads, write, logSize } = await openTexts({ bytesMax: 2 * MEGABYTE })
    let largest = 0
    await readWithoutBreak(reads, 20, async () => {
      await write(MEGABYTE)
      largest = Math.max(largest, logSize())
    })
    // Twenty megabytes are written.
    expect(largest).toBeGreaterThan(2 * MEGABYTE)
    expect(largest).toBeLessThan(8 * MEGABYTE)
  })

  it('is truncated between two transactions under continuous writes', async () => {
    const { db, reads, write, logSize } = await openTexts({ bytesMax: MEGABYTE })
    const before = Promise.withResolvers<void>()
    const first = reads.read(async (one) => {
      await one.selectFrom('texts').select('id').execute()
      await before.promise
    })
    await write(2 * MEGABYTE)
    expect(logSize()).toBeGreaterThan(MEGABYTE)
    let smallest = Infinity
    const stop = new AbortController()
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !stop.signal.aborted; n += 1) {
        const row = { id: `writer-${writer}-${n}`, text: '' }
        await db.transaction().execute(async (tx) => {
          await tx.insertInto('texts').values(row).execute()
          await tx.selectFrom('texts').select('id').limit(1).execute()
        })
        smallest = Math.min(smallest, logSize())
      }
    })
    const next = reads.read((one) => one.selectFrom('texts').select('id').limit(1).execute())
    before.resolve()
    await Promise.all([first, next])
    stop.abort()
    await Promise.all(writers)
    // Its file grows again at once, and becomes smaller only by being emptied.
    expect(smallest).toBeLessThan(MEGABYTE)
  })

  it('does not stop reads if another process prevents its truncation', async () => {
    const { path, reads, write, logSize } = await openTexts({ bytesMax: MEGABYTE })
    await write(2 * MEGABYTE)
    const other = new SqliteDatabase(path ?? '', { readonly: true })
    const reading = other.prepare('select id from texts').iterate()
    reading.next()
    await write(MEGABYTE)
    const read = () => reads.read((db) => db.selectFrom('texts').select('id').limit(1).execute())
    expect(await read()).toHaveLength(1)
    expect(logSize()).toBeGreaterThan(MEGABYTE)
    reading.return?.()
    other.close()
    expect(await read()).toHaveLength(1)
    expect(logSize()).toBe(0)
  })
})
