import type { Db } from '../../server/db/tables.ts'
import { afterEachRead } from '../after-each-read.ts'
import type { Merchant, TestApp } from '../app.ts'
import { type Wrap, wrapOperations } from '../wrap-operations.ts'
import { secondServer, type Server } from '../second-server.ts'
import { createProcessors } from '../../server/processors/registry.ts'

export interface InterruptibleServer {
  /** Returns the interruptible server. */
  serverFor: (merchant: Merchant) => Server
  /**
   * Runs `act`, and `happens` at its interruption point number `moment`, counted from 1. Returns how
   * many points there were; with fewer than `moment`, `happens` did not run.
   */
  during: (
    act: () => Promise<void>,
    moment: number,
    happens: () => Promise<void>,
  ) => Promise<number>
}

/**
 * A second server on the same database with interruption points wherever other requests can change
 * state: after each query outside a transaction, after each transaction, and after each processor
 * response.
 */
export function openInterruptibleServer(app: TestApp): InterruptibleServer {
  let seen = 0
  let chosen = Infinity
  let happening = async () => {}
  let happened: Promise<void> | undefined
  const pass = async () => {
    seen += 1
    if (seen !== chosen) return
    happened = happening()
    await happened
  }
  const { deps } = app.checkstand
  const afterwards: Wrap = (_name, operate) => async (operation) => {
    const result = await operate(operation)
    await pass()
    return result
  }
  const watched = secondServer(app, {
    db: afterEachTransaction(afterEachRead(deps.db, pass), pass),
    processors: createProcessors(deps.db, {
      builtIn: [...deps.processors.builtIn.values()].map((processor) =>
        wrapOperations(processor, afterwards),
      ),
      connect: () => Promise.reject(new Error('no processor is connected')),
      now: deps.realNow,
      log: deps.log,
    }),
  })
  return {
    serverFor: watched,
    async during(act, moment, happens) {
      seen = 0
      chosen = moment
      happening = happens
      try {
        await act()
        // The point may have been one of a query that `act` does not wait for.
        await happened
        return seen
      } finally {
        chosen = Infinity
        happened = undefined
      }
    },
  }
}

function afterEachTransaction(db: Db, pass: () => Promise<void>): Db {
  const transaction = () => {
    const begin = db.transaction()
    const execute = begin.execute.bind(begin)
    begin.execute = async (work) => {
      const result = await execute(work)
      await pass()
      return result
    }
    return begin
  }
  return new Proxy(db, {
    get: (plain, name) =>
      name === 'transaction' ? transaction : (Reflect.get(plain, name) as unknown),
  })
}
