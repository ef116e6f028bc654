import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { basic } from '../testing/app.ts'
import { openTestDatabase } from '../testing/database.ts'
import { PROGRAM_KEY, startProgram } from '../testing/program.ts'
import type { Program } from '../testing/program.ts'

/** A merchant who sends a request again because the server was killed before it answered. */

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function run(databaseUrl: string, env: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram(databaseUrl, env)
  cleanups.push(() => {
    program.process.kill('SIGKILL')
    return program.ended
  })
  return program
}

const makeLink = ({ base }: Program) =>
  fetch(`${base}/c/api/instances/default/payment_links`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': 'order-1001',
      authorization: basic(`${PROGRAM_KEY}:`),
    },
    body: JSON.stringify({ payment_link: { options: { amount: '12.50' } } }),
  })

/** How many rows there are of what the request makes. */
async function made(databaseUrl: string) {
  const { db, close } = await openDatabase<Tables>(databaseUrl)
  const count = async (table: 'payment_links' | 'events' | 'idempotency_keys') =>
    (await db.selectFrom(table).select('instance_id').execute()).length
  const counts = {
    links: await count('payment_links'),
    events: await count('events'),
    keys: await count('idempotency_keys'),
  }
  await close()
  return counts
}

describe('a server that is killed while it makes a link', () => {
  it.each([
    ['once-acted', 0],
    ['once-stored', 1],
  ] as const)(
    'at %s, keeps link, event and key together, and the repeat makes no second one',
    async (failpoint, kept) => {
      const database = await openTestDatabase()
      cleanups.push(() => database.drop())
      const doomed = await run(database.url, { CHECKSTAND_FAILPOINT: failpoint })
      await expect(makeLink(doomed)).rejects.toThrow('fetch failed')
      expect(await doomed.ended).toBe('SIGKILL')
      expect(await made(database.url)).toEqual({ links: kept, events: kept, keys: kept })

      const restarted = await run(database.url)
      const first = await makeLink(restarted)
      expect(first.status).toBe(200)
      expect(first.headers.has('idempotent-replayed')).toBe(kept === 1)
      const second = await makeLink(restarted)
      expect(await second.text()).toBe(await first.text())
      expect(await made(database.url)).toEqual({ links: 1, events: 1, keys: 1 })
    },
    60_000,
  )
})
