import { URL } from 'node:url'
import {
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import type { Log } from './group-commit.ts'
import { preparing, type PreparingPool, withRowBudgets } from './postgres-pool.ts'
import { codeAndMessage } from './unreachable.ts'

const CONNECTIONS_MAX = 10
/** Milliseconds. A migration that needs longer lifts it for its own transaction. */
const STATEMENT_MS = 30_000
const LOCK_MS = 10_000
/** As on SQLite: a transaction that waits for something foreign is undone. */
const HELD_MS = 5000
/** What the server cancels is answered before that; who answers nothing hangs. */
const ANSWER_MS = STATEMENT_MS + 5000
const SLOW_MS = 50

const INT8 = 20
const NUMERIC = 1700
const BOOL = 16

export interface PostgresOptions {
  log?: Log | undefined
  isServing?: (() => boolean) | undefined
  /** Milliseconds after which a server that does not answer counts as lost. */
  answerMs?: number | undefined
}

export interface OpenedPostgres {
  dialect: Dialect
  /** The same database, where the rows that one transaction reads have READ_BYTES in all. */
  readDialect: Dialect
  ping: () => Promise<void>
  stats: () => { commits: number; transactions: number }
  close: () => Promise<void>
}

/**
 * Opens a pool on a PostgreSQL server and asks it once, so that a wrong address or a database
 * that compares text otherwise than we do is found at start (architecture section 9).
 */
export async function openPostgres(
  url: string,
  { log, isServing, answerMs = ANSWER_MS }: PostgresOptions = {},
): Promise<OpenedPostgres> {
  const host = hostOf(url)
  const types = { getTypeParser: typeParser }
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    application_name: 'checkstand',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: HELD_MS,
    types,
  })
  // A connection that breaks while no query waits on it raises this; unheard, it would end the
  // process. The pool hears only those that nobody has in hand: between two queries of a
  // transaction it is for us to hear, and the next query fails.
  const lost = (error: Error) => log?.warn({ err: error }, 'a connection to PostgreSQL was lost')
  pool.on('connect', (client) => client.on('error', lost))
  pool.on('error', () => {})
  let closed: Promise<void> | undefined
  const close = () => (closed ??= pool.end())
  const connections = preparing(pool, { types, close, answerMs })
  const ask: Ask = async (text) => {
    const client = await connections.connect()
    try {
      return (await client.query(text, [])).rows[0] as never
    } finally {
      client.release()
    }
  }
  try {
    await expectUnicode(ask, log)
  } catch (error) {
    await close()
    if (error instanceof UnfitDatabase) throw error
    const reason = error instanceof Error ? codeAndMessage(error) : ''
    throw new Error(`DATABASE_URL: PostgreSQL at ${host} cannot be used: ${reason}`, {
      cause: error,
    })
  }

  const counts = { commits: 0, transactions: 0 }
  const dialectOn = (own: PreparingPool): Dialect => ({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => new CountingPostgresDriver(own, counts, { log, isServing }),
  })
  return {
    dialect: dialectOn(connections),
    readDialect: dialectOn(withRowBudgets(connections)),
    async ping() {
      const row = await ask<{ standby: number }>('select pg_is_in_recovery() as standby')
      if (row?.standby !== 0) throw new Error('the PostgreSQL server takes no writes: a standby')
    },
    stats: () => ({ ...counts }),
    close,
  }
}

/** Text forms of PostgreSQL as the numbers that SQLite would have given. */
export function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8) return integer
  // Sums of integers are numeric here.
  if (oid === NUMERIC) return (value) => (value.includes('.') ? Number(value) : integer(value))
  // A condition that is selected is 0 or 1 on SQLite.
  if (oid === BOOL) return (value) => (value === 't' ? 1 : 0)
  return pg.types.getTypeParser(oid, format ?? 'text')
}

function integer(value: string): number {
  const parsed = Number(value)
  if (!Number.isSafeInteger(parsed)) {
    throw new RangeError(`${value} is beyond the whole numbers that can be calculated with`)
  }
  return parsed
}

// Written so that no message carries the address whole: it may hold a password.
function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new Error('DATABASE_URL is not a valid postgres:// address')
  return new URL(url).host
}

class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
}

/** The first row of what one statement answers, on any connection. */
type Ask = <R>(text: string) => Promise<R | undefined>

async function expectUnicode(ask: Ask, log: Log | undefined): Promise<void> {
  const row = await ask<{ folded: string; encoding: string; by_bytes: number }>(
    `select lower('É') as folded, current_setting('server_encoding') as encoding,
      'B' < 'a' as by_bytes`,
  )
  const advice = `create database … template template0 encoding 'UTF8' locale 'C.UTF-8'`
  if (row?.encoding !== 'UTF8' || row.folded !== 'é') {
    throw new UnfitDatabase(
      'the PostgreSQL database must have the encoding UTF8 and a locale that folds all letters: ' +
        advice,
    )
  }
  if (row.by_bytes !== 1) {
    log?.warn({ advice }, 'this database sorts text by its locale; lists are ordered otherwise')
  }
}

type Reserved = Parameters<PostgresDriver['rollbackTransaction']>[0]

class CountingPostgresDriver extends PostgresDriver {
  readonly #counts: { commits: number; transactions: number }
  readonly #options: PostgresOptions
  readonly #startedAt = new WeakMap<DatabaseConnection, number>()

  constructor(
    pool: PreparingPool,
    counts: { commits: number; transactions: number },
    options: PostgresOptions,
  ) {
    // Kysely's second form of `query` takes a cursor, which nothing here asks for.
    super({ pool: pool as unknown as PostgresPool })
    this.#counts = counts
    this.#options = options
  }

  override async beginTransaction(
    ...given: Parameters<PostgresDriver['beginTransaction']>
  ): Promise<void> {
    await super.beginTransaction(...given)
    this.#counts.transactions += 1
    this.#startedAt.set(given[0], performance.now())
  }

  override async commitTransaction(connection: Reserved): Promise<void> {
    this.#tellIfSlow(connection)
    await super.commitTransaction(connection)
    this.#counts.commits += 1
  }

  override async rollbackTransaction(connection: Reserved): Promise<void> {
    this.#tellIfSlow(connection)
    await super.rollbackTransaction(connection)
  }

  #tellIfSlow(connection: DatabaseConnection): void {
    const heldMs = performance.now() - (this.#startedAt.get(connection) ?? Infinity)
    this.#startedAt.delete(connection)
    const { log, isServing } = this.#options
    if (heldMs < SLOW_MS || isServing?.() === false) return
    log?.warn({ heldMs: Math.round(heldMs) }, 'a database transaction was open for long')
  }
}
