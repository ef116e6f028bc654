import type pg from 'pg'
import { createQueryTimeout } from './query-timeout.ts'
import { isStalePlan } from './transaction.ts'
import { newRowBudget, readWithinBudget, type RowBudget } from './row-budget.ts'
import { DatabaseUnreachable, codeAndMessage, isLostConnection } from './unreachable.ts'

/** A pool of connections with prepared statements, as Kysely uses it. */
export interface PreparingPool {
  options: object
  connect(): Promise<PreparingClient>
  end(): Promise<void>
}

interface PreparingClient {
  /** With a budget, the rows count against it and the statement is not prepared. */
  query(text: string, values: readonly unknown[], budget?: RowBudget): Promise<QueryOutput>
  release(destroy?: boolean): void
}

type QueryOutput = Pick<pg.QueryResult<object>, 'command' | 'rowCount' | 'rows'>

const STATEMENTS_MAX = 500

const TRANSACTION_CONTROL = /^\s*(start|begin|set|commit|rollback)\b/i

/** Limits what is read on a connection between connect and release. Throws ReadTooLarge. */
export function withRowBudgets(pool: PreparingPool): PreparingPool {
  return {
    ...pool,
    async connect() {
      const client = await pool.connect()
      const budget = newRowBudget()
      return {
        ...client,
        query: (text, values) =>
          client.query(text, values, TRANSACTION_CONTROL.test(text) ? undefined : budget),
      }
    },
  }
}

/**
 * Adds named prepared statements to a pool, so that the server plans each text once per connection.
 * Queries throw PostgreSQL's errors, and DatabaseUnreachable for a lost connection or a timeout.
 */
export function withPreparedStatements(
  pool: pg.Pool,
  {
    types,
    close,
    answerMs,
  }: { types: pg.CustomTypesConfig; close: () => Promise<void>; answerMs: number },
): PreparingPool {
  const names = new Map<string, string>()
  let count = 0
  const nameOf = (sql: string): string | undefined => {
    const cached = names.get(sql)
    if (cached !== undefined || names.size >= STATEMENTS_MAX) return cached
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(sql)) return undefined
    count += 1
    const name = `q${count}`
    names.set(sql, name)
    return name
  }
  const wrap = (client: pg.PoolClient): PreparingClient => {
    const timeout = createQueryTimeout(answerMs)
    const send = async (text: string, values: unknown[]): Promise<QueryOutput> => {
      const name = nameOf(text)
      try {
        return await client.query<object>({ name, text, values })
      } catch (error) {
        if (!isStalePlan(error)) throw error
        // New names from now on, so that other connections do not use their stale plans. Nothing
        // was executed. Within a transaction, which is lost, this second try fails too.
        names.clear()
        return await client.query<object>({ text, values }).catch(() => {
          throw error
        })
      }
    }
    return {
      query: (text, params, budget) => {
        const values = [...params]
        const run = () =>
          budget ? readWithinBudget(budget, client, { text, values, types }) : send(text, values)
        return timeout.run(text, run).catch((error: unknown) => {
          throw isLostConnection(error) ? unreachable(error) : error
        })
      },
      release: (destroy) => client.release(destroy === true || timeout.hasTimedOut()),
    }
  }
  const wrapped = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(error)
      })
      const prepared = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, prepared)
      return prepared
    },
    end: close,
  }
}

function unreachable(error: unknown): DatabaseUnreachable {
  const reason = error instanceof Error ? codeAndMessage(error) : ''
  return new DatabaseUnreachable(reason, { cause: error })
}
