import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { LockTimeout, createNamedLocks } from './named-locks.ts'
import { openDatabase } from './open.ts'

// SQLite serves one server process; two of them meet on PostgreSQL only.
const database = await openTestDatabase()
const opened = await openDatabase<object>(database.url)
const locks = createNamedLocks(opened.db, opened.kind)

/** Work that runs until `end` is called. */
function held() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { end: () => end(), work: () => ended }
}

describe('a lock between two server processes', () => {
  it('excludes others, times out, and passes to the next waiter', async () => {
    const other = await openDatabase<object>(database.url)
    const theirs = createNamedLocks(other.db, other.kind)
    const first = held()
    const running = locks.withLock('shared', { waitMs: 1000 }, first.work)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const late = theirs.withLock('shared', { waitMs: 100 }, async () => 'never')
    await expect(late).rejects.toThrow(LockTimeout)
    const patient = theirs.withLock('shared', { waitMs: 5000 }, async () => 'theirs')
    first.end()
    await running
    expect(await patient).toBe('theirs')
    await other.close()
  })
})
