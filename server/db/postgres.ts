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
import { withPreparedStatements, type PreparingPool, withRowBudgets } from './postgres-pool.ts'
import { codeAndMessage } from './unreachable.ts'

const CONNECTIONS_MAX = 10
/** Milliseconds. A migration lifts it for its own transaction. */
const STATEMENT_MS = 30_000
const LOCK_MS = 10_000
/** As on SQLite: a transaction that waits for anything but its queries is rolled back. */
const HELD_MS = 5000
/** Later than the server's own timeout, so that a server without a response must be hanging. */
const RESPONSE_TIMEOUT_MS = STATEMENT_MS + 5000
const SLOW_MS = 50

const INT8 = 20
const NUMERIC = 1700
const BOOL = 16

export interface PostgresOptions {
  log?: Log | undefined
  isServing?: (() => boolean) | undefined
  /** PostgreSQL only. Milliseconds after which a server that does not respond counts as lost. */
  answerMs?: number | undefined
}

export interface OpenedPostgres {
  dialect: Dialect
  /** The same database with a limit of READ_BYTES per transaction. */
  readDialect: Dialect
  ping: () => Promise<void>
  stats: () => { commits: number; transactions: number }
  close: () => Promise<void>
}

/**
 * Opens a connection pool and queries it once, so that a wrong address or an unsuitable encoding or
 * locale is found at start.
 */
export async function openPostgres(
  url: string,
  { log, isServing, answerMs = RESPONSE_TIMEOUT_MS }: PostgresOptions = {},
): Promise<OpenedPostgres> {
  const host = databaseHost(url)
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
  // An idle connection that breaks emits this; without a listener it would end the process. The
  // pool listens on its idle connections only, not between two queries of a transaction.
  const lost = (error: Error) => log?.warn({ err: error }, 'a connection to PostgreSQL was lost')
  pool.on('connect', (client) => client.on('error', lost))
  pool.on('error', () => {})
  let closed: Promise<void> | undefined
  const close = () => (closed ??= pool.end())
  const connections = withPreparedStatements(pool, { types, close, answerMs })
  const queryFirst: QueryFirst = async (text) => {
    const client = await connections.connect()
    try {
      return (await client.query(text, [])).rows[0] as never
    } finally {
      client.release()
    }
  }
  try {
    await assertUtf8(queryFirst, log)
  } catch (error) {
    await close()
    if (error instanceof UnsuitableDatabase) throw error
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
      const row = await queryFirst<{ standby: number }>('select pg_is_in_recovery() as standby')
      if (row?.standby !== 0) throw new Error('the PostgreSQL server is a read-only standby')
    },
    stats: () => ({ ...counts }),
    close,
  }
}

/** Parses PostgreSQL's text forms into the same values as SQLite returns. */
export function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8) return integer
  // Sums of integers are numeric.
  if (oid === NUMERIC) return (value) => (value.includes('.') ? Number(value) : integer(value))
  // A selected condition is 0 or 1 on SQLite.
  if (oid === BOOL) return (value) => (value === 't' ? 1 : 0)
  return pg.types.getTypeParser(oid, format ?? 'text')
}

function integer(value: string): number {
  const parsed = Number(value)
  if (!Number.isSafeInteger(parsed)) {
    throw new RangeError(`${value} is not a safe integer`)
  }
  return parsed
}

// No message may contain the whole URL: it may have a password.
function databaseHost(url: string): string {
  if (!URL.canParse(url)) throw new Error('DATABASE_URL is not a valid postgres:// address')
  return new URL(url).host
}

class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase'
}

/** Returns the first row. */
type QueryFirst = <R>(text: string) => Promise<R | undefined>

async function assertUtf8(queryFirst: QueryFirst, log: Log | undefined): Promise<void> {
  const row = await queryFirst<{ folded: string; encoding: string; by_bytes: number }>(
    `select lower('É') as folded, current_setting('server_encoding') as encoding,
      'B' < 'a' as by_bytes`,
  )
  const advice = `create database … template template0 encoding 'UTF8' locale 'C.UTF-8'`
  if (row?.encoding !== 'UTF8' || row.folded !== 'é') {
    throw new UnsuitableDatabase(
      'the PostgreSQL database must have the encoding UTF8 and a locale that folds all letters: ' +
        advice,
    )
  }
  if (row.by_bytes !== 1) {
    log?.warn({ advice }, 'this database sorts text by its locale, so lists have another order')
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
    // Kysely's other form of `query` takes a cursor, which is not used.
    super({ pool: pool as unknown as PostgresPool })
    this.#counts = counts
    this.#options = options
  }

  override async beginTransaction(
    ...args: Parameters<PostgresDriver['beginTransaction']>
  ): Promise<void> {
    await super.beginTransaction(...args)
    this.#counts.transactions += 1
    this.#startedAt.set(args[0], performance.now())
  }

  override async commitTransaction(connection: Reserved): Promise<void> {
    this.#warnIfSlow(connection)
    await super.commitTransaction(connection)
    this.#counts.commits += 1
  }

  override async rollbackTransaction(connection: Reserved): Promise<void> {
    this.#warnIfSlow(connection)
    await super.rollbackTransaction(connection)
  }

  #warnIfSlow(connection: DatabaseConnection): void {
    const heldMs = performance.now() - (this.#startedAt.get(connection) ?? Infinity)
    this.#startedAt.delete(connection)
    const { log, isServing } = this.#options
    if (heldMs < SLOW_MS || isServing?.() === false) return
    log?.warn({ heldMs: Math.round(heldMs) }, 'a database transaction was open for too long')
  }
}
