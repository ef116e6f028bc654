import pg from 'pg'
import { createQueryTimeout } from './query-timeout.ts'
import { newRowBudget, readWithin, type RowBudget } from './row-budget.ts'
import { DatabaseUnreachable, codeAndMessage, isLostConnection } from './unreachable.ts'

/** The pool of connections to PostgreSQL, as Kysely and what is asked before it see it. */
export interface PreparingPool {
  options: object
  connect(): Promise<PreparingClient>
  end(): Promise<void>
}

interface PreparingClient {
  /** With a budget the rows count against it, come in pieces, and their statement has no name. */
  query(text: string, values: readonly unknown[], budget?: RowBudget): Promise<Answer>
  release(destroy?: boolean): void
}

type Answer = Pick<pg.QueryResult<object>, 'command' | 'rowCount' | 'rows'>

const STATEMENTS_MAX = 500

const TRANSACTION_CONTROL = /^\s*(start|begin|set|commit|rollback)\b/i

/**
 * Returns the pool, where what is read on a connection from taking it to releasing it comes to
 * READ_BYTES at most. Its queries throw ReadTooLarge beyond that.
 */
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
 * Returns the pool with named prepared statements: the server plans each text once per connection.
 * Names are counted and not hashed, since a name only has to mean the same text within this process.
 * Queries throw what PostgreSQL says, and DatabaseUnreachable when it says nothing.
 */
export function preparing(
  pool: pg.Pool,
  {
    types,
    close,
    answerMs,
  }: { types: pg.CustomTypesConfig; close: () => Promise<void>; answerMs: number },
): PreparingPool {
  const names = new Map<string, string>()
  let named = 0
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= STATEMENTS_MAX) return known
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(sql)) return undefined
    named += 1
    const name = `q${named}`
    names.set(sql, name)
    return name
  }
  const wrap = (client: pg.PoolClient): PreparingClient => {
    const patience = createQueryTimeout(answerMs)
    const send = async (text: string, values: unknown[]): Promise<Answer> => {
      const name = nameOf(text)
      try {
        return await client.query<object>({ name, text, values })
      } catch (error) {
        if (!isStalePlan(error)) throw error
        // New names from here on, so that no other connection meets its old plan either. Nothing
        // was executed; inside a transaction, which is lost, this second try fails too.
        names.clear()
        return await client.query<object>({ text, values }).catch(() => {
          throw error
        })
      }
    }
    return {
      query: (text, given, budget) => {
        const values = [...given]
        const ask = () =>
          budget ? readWithin(budget, client, { text, values, types }) : send(text, values)
        return patience.wait(text, ask).catch((error: unknown) => {
          throw isLostConnection(error) ? unreachable(error) : error
        })
      },
      release: (destroy) => client.release(destroy === true || patience.isOver()),
    }
  }
  const wrapped = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(error)
      })
      const known = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, known)
      return known
    },
    end: close,
  }
}

function unreachable(error: unknown): DatabaseUnreachable {
  const reason = error instanceof Error ? codeAndMessage(error) : ''
  return new DatabaseUnreachable(reason, { cause: error })
}

/** Whether a migration elsewhere has changed the columns of a statement that a connection keeps. */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '0A000' &&
    error.routine === 'RevalidateCachedQuery'
  )
}
