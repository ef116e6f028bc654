import { randomInt } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { withTimeout } from '../timeout.ts'
import type { Log } from './group-commit.ts'
import type { Db } from './tables.ts'

/**
 * Shows which processes of a PostgreSQL database are alive. Each holds an advisory lock of its own
 * number on a dedicated connection, which PostgreSQL releases when the process is gone. A live
 * process can also lose its lock with the connection and takes it again, so a missing lock is a
 * hint, not proof.
 */
export interface Presence {
  /**
   * Returns the number of this process, or null while it holds no lock. A processor call without an
   * owner is reconciled after its own deadline.
   */
  owner: () => string | null
  /** Releases the lock within a second. Never throws. */
  close: () => Promise<void>
}

export const NO_PRESENCE: Presence = { owner: () => null, close: async () => {} }

/** The first key of these locks; the second is the number of the process. */
const LOCK_CLASS = 1_129_074_547
const OWNERS = 2 ** 31 - 1
const RETRY_MS = 500
/**
 * After a failover the old server may never close the connection, and the lock would be held where
 * no other process looks. The connection is therefore probed.
 */
const PROBE_EVERY_MS = 2000
const RESPONSE_TIMEOUT_MS = 2000
const CONNECT_MS = 5000
const CLOSE_MS = 1000

/** Without keepalives PostgreSQL would notice a dead machine after two hours. */
const SETTINGS = `set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1;
  set tcp_keepalives_count = 2; set idle_session_timeout = 0`

interface Connection {
  client: pg.Client
  /** Destroyed rather than ended, because a hanging server never closes its half. */
  socket: Socket
}

/**
 * Acquires the lock, and again whenever it is lost, until it is closed. Never throws. Until PostgreSQL
 * notices a broken connection, the old lock still shows this process as alive.
 */
export async function createPresence(url: string, log: Pick<Log, 'warn'>): Promise<Presence> {
  const { default: postgres } = await import('pg')
  const number = randomInt(1, OWNERS)
  let held: string | null = null
  let current: Connection | undefined
  let timer: NodeJS.Timeout | undefined

  async function acquire(): Promise<void> {
    const mine = newConnection(postgres, url)
    const { client } = mine
    current = mine
    client.on('error', () => {})
    client.on('end', () => lost(mine))
    try {
      await client.connect()
      await client.query(SETTINGS)
      const { rows } = await client.query<{ held: boolean }>(
        'select pg_try_advisory_lock($1, $2) as held',
        [LOCK_CLASS, number],
      )
      if (!rows[0]?.held) throw new Error('the number is taken')
      if (current !== mine) return
      held = String(number)
      // Throws when the connection is lost or closed.
      for (;;) {
        await client.query('select 1')
        await pause(PROBE_EVERY_MS, undefined, { ref: false })
      }
    } catch {
      lost(mine)
    }
  }

  function lost(mine: Connection): void {
    if (current !== mine) return
    if (held !== null) log.warn({}, 'the connection that shows this process as alive was lost')
    held = null
    current = undefined
    mine.socket.destroy()
    timer = setTimeout(() => void acquire(), RETRY_MS)
  }

  void acquire()
  return {
    owner: () => held,
    async close() {
      const mine = current
      held = null
      current = undefined
      clearTimeout(timer)
      if (mine === undefined) return
      const timedOut = () => new Error('the server does not respond')
      await withTimeout(mine.client.end(), CLOSE_MS, timedOut).catch(() => {})
      mine.socket.destroy()
    },
  }
}

function newConnection({ Client }: typeof pg, url: string): Connection {
  const socket = new Socket()
  const client = new Client({
    connectionString: url,
    application_name: 'checkstand presence',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1000,
    stream: () => socket,
  })
  return { client, socket }
}

/** Returns the owners of calls in progress that hold no lock. */
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
