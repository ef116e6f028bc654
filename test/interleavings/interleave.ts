import { createApp } from '../../server/app.ts'
import type { Db } from '../../server/db/tables.ts'
import type { Deps } from '../../server/deps.ts'
import { createProcessors } from '../../server/processors/registry.ts'
import type { Processor } from '../../server/processors/port.ts'
import { afterEachRead } from '../after-each-read.ts'
import { merchantApi, createCaller, type Merchant, type TestApp } from '../app.ts'

/** A server of one merchant: the ordinary one, or the interruptible one. */
export interface Server {
  deps: Deps
  call: TestApp['call']
  api: Merchant['api']
}

export type Action = (server: Server) => Promise<unknown>

/** Returns the ordinary server. */
export function serverFor({ checkstand, call }: TestApp, merchant: Merchant): Server {
  return { deps: checkstand.deps, call, api: merchant.api }
}

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
  const pass = async () => {
    seen += 1
    if (seen === chosen) await happening()
  }
  const { deps } = app.checkstand
  const watched: Deps = {
    ...deps,
    db: afterEachTransaction(afterEachRead(deps.db, pass), pass),
    processors: createProcessors(deps.db, {
      builtIn: [...deps.processors.builtIn.values()].map((processor) =>
        afterEachAnswer(processor, pass),
      ),
      connect: () => Promise.reject(new Error('no processor is connected')),
      now: deps.realNow,
      log: deps.log,
    }),
  }
  const { app: server } = createApp(watched, app.checkstand.parts)
  const call = createCaller({ fetch: server.fetch })
  return {
    serverFor: (merchant) => ({ deps: watched, call, api: merchantApi(call, merchant) }),
    async during(act, moment, happens) {
      seen = 0
      chosen = moment
      happening = happens
      try {
        await act()
        return seen
      } finally {
        chosen = Infinity
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

function afterEachAnswer(real: Processor, pass: () => Promise<void>): Processor {
  const followed =
    <Asked, Answered>(ask: (asked: Asked) => Promise<Answered>) =>
    async (asked: Asked): Promise<Answered> => {
      const result = await ask(asked)
      await pass()
      return result
    }
  return {
    ...real,
    pay: followed((order) => real.pay(order)),
    authorize: followed((order) => real.authorize(order)),
    capture: followed((order) => real.capture(order)),
    refund: followed((order) => real.refund(order)),
    void: followed((order) => real.void(order)),
    query: followed((key) => real.query(key)),
    cancel: followed((key) => real.cancel(key)),
  }
}
