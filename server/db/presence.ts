import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { Log } from './group-commit.ts'
import type { Db } from './tables.ts'

/**
 * Which processes on a PostgreSQL database are alive. Each holds an advisory lock by a number of its
 * own on a connection for that alone, and PostgreSQL frees it when the process or its machine is
 * gone. A lock can also be lost by a process that lives, when the connection breaks: it is taken
 * again, and a missing lock is a reason to look, never proof.
 */
export interface Presence {
  /** Returns the number under which this process is known now; null while it holds no lock. */
  owner: () => string | null
  /** Frees the lock. */
  close: () => Promise<void>
}

export const NO_PRESENCE: Presence = { owner: () => null, close: async () => {} }

/** Keeps these locks apart from all others; the second number is the process. */
const LOCK_CLASS = 1_129_074_547
const OWNERS = 2 ** 31 - 1
const RETRY_MS = 500

/** A machine that is gone says nothing: without these PostgreSQL would wait two hours for it. */
const SETTINGS = `set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1;
  set tcp_keepalives_count = 2; set idle_session_timeout = 0`

/**
 * Takes the lock, and the same again whenever it was lost, until it is closed. Never throws. While
 * PostgreSQL has yet to notice that the former connection broke, the number is still taken, and this
 * process still counts as alive.
 */
export function createPresence(url: string, log: Pick<Log, 'warn'>): Presence {
  const number = randomInt(1, OWNERS)
  let held: string | null = null
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function hold(): Promise<void> {
    const mine = new pg.Client({
      connectionString: url,
      application_name: 'checkstand presence',
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
    })
    client = mine
    mine.on('error', () => {})
    mine.on('end', () => lost(mine))
    try {
      await mine.connect()
      await mine.query(SETTINGS)
      const { rows } = await mine.query<{ held: boolean }>(
        'select pg_try_advisory_lock($1, $2) as held',
        [LOCK_CLASS, number],
      )
      if (!rows[0]?.held) throw new Error('the number is taken')
      if (client === mine && !closed) held = String(number)
    } catch {
      lost(mine)
    }
  }

  function lost(mine: pg.Client): void {
    if (client !== mine) return
    if (held !== null && !closed)
      log.warn({}, 'the connection that shows this process is alive was lost')
    held = null
    client = undefined
    void mine.end().catch(() => {})
    if (!closed) timer = setTimeout(() => void hold(), RETRY_MS)
  }

  const first = hold()
  return {
    owner: () => held,
    async close() {
      closed = true
      clearTimeout(timer)
      await first
      await client?.end().catch(() => {})
      held = null
    },
  }
}

/** Returns those of the owners of calls under way that hold no lock at this moment. */
export async function listAbsentOwners(db: Db): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select distinct owner from attempts
    where next_check is not null and state = 'SENT' and owner is not null
      and owner not in (
        select objid::text from pg_locks
        where locktype = 'advisory' and granted and classid = ${LOCK_CLASS} and objsubid = 2
          and database = (select oid from pg_database where datname = current_database())
      )
  `.execute(db)
  return rows.map(({ owner }) => owner)
}
