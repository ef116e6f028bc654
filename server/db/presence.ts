import { randomInt } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { withTimeout } from '../timeout.ts'
import type { Log } from './group-commit.ts'
import type { Db } from './tables.ts'

/**
 * Which processes on a PostgreSQL database are alive. Each holds an advisory lock by a number of its
 * own on a connection for that alone, and PostgreSQL frees it when the process or its machine is
 * gone. A lock can also be lost by a process that lives, when the connection breaks: it is taken
 * again, and a missing lock is a reason to look, never proof.
 */
export interface Presence {
  /**
   * Returns the number under which other processes see this one now; null while it holds no lock.
   * A call that begins meanwhile has no owner, and is asked about once its own deadline has passed.
   */
  owner: () => string | null
  /** Frees the lock. Never throws, and waits a second at most for a server that is silent. */
  close: () => Promise<void>
}

export const NO_PRESENCE: Presence = { owner: () => null, close: async () => {} }

/** Keeps these locks apart from all others; the second number is the process. */
const LOCK_CLASS = 1_129_074_547
const OWNERS = 2 ** 31 - 1
const RETRY_MS = 500
/**
 * A server that was replaced by another one may never close the connection to it, and the lock is
 * then held where no other process looks. So the server is asked this often whether it is there.
 */
const PROBE_EVERY_MS = 2000
const ANSWER_MS = 2000
const CONNECT_MS = 5000
const CLOSE_MS = 1000

/** A machine that is gone says nothing: without these PostgreSQL would wait two hours for it. */
const SETTINGS = `set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1;
  set tcp_keepalives_count = 2; set idle_session_timeout = 0`

interface Connection {
  client: pg.Client
  /** Destroyed rather than ended when the server is silent: it would never end its half. */
  socket: Socket
}

/**
 * Takes the lock, and the same again whenever it was lost, until it is closed. Never throws. While
 * PostgreSQL has yet to notice that the former connection broke, the number is still taken, and this
 * process still counts as alive.
 */
export function createPresence(url: string, log: Pick<Log, 'warn'>): Presence {
  const number = randomInt(1, OWNERS)
  let held: string | null = null
  let current: Connection | undefined
  let timer: NodeJS.Timeout | undefined

  async function hold(): Promise<void> {
    const mine = newConnection(url)
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
      // Until it throws, because the connection is lost or closed.
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
    if (held !== null) log.warn({}, 'the connection that shows this process is alive was lost')
    held = null
    current = undefined
    mine.socket.destroy()
    timer = setTimeout(() => void hold(), RETRY_MS)
  }

  void hold()
  return {
    owner: () => held,
    async close() {
      const mine = current
      held = null
      current = undefined
      clearTimeout(timer)
      if (mine === undefined) return
      const silent = () => new Error('the server is silent')
      await withTimeout(mine.client.end(), CLOSE_MS, silent).catch(() => {})
      mine.socket.destroy()
    },
  }
}

function newConnection(url: string): Connection {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: url,
    application_name: 'checkstand presence',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1000,
    stream: () => socket,
  })
  return { client, socket }
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
