import { createApp } from '../../server/app.ts'
import type { Db } from '../../server/db/tables.ts'
import type { Deps } from '../../server/deps.ts'
import type { Processor } from '../../server/processors/port.ts'
import { afterEachRead } from '../after-each-read.ts'
import { apiOf, caller, type Merchant, type TestApp } from '../app.ts'

/** Where an operation is carried out: the ordinary server, or one that lets others in between. */
export interface House {
  deps: Deps
  call: TestApp['call']
  api: Merchant['api']
}

export type Act = (house: House) => Promise<unknown>

/** The ordinary server, as a merchant reaches it. */
export function houseOf({ checkstand, call }: TestApp, merchant: Merchant): House {
  return { deps: checkstand.deps, call, api: merchant.api }
}

export interface Moments {
  /** The server that can be interrupted, as a merchant reaches it. */
  house: (merchant: Merchant) => House
  /**
   * Runs `act` there, and all of `happens` in its `moment`th moment, counted from 1. Answers how many
   * moments it had; when those were fewer, nothing happened.
   */
  during: (
    act: () => Promise<void>,
    moment: number,
    happens: () => Promise<void>,
  ) => Promise<number>
}

/**
 * A second server on the same database, in which something can happen in every moment in which it
 * lets go of what it knows: after each query that is part of no transaction, after each transaction,
 * and after each answer of the processor.
 */
export function openMoments(app: TestApp): Moments {
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
    processors: new Map(
      [...deps.processors].map(([name, processor]) => [name, afterEachAnswer(processor, pass)]),
    ),
  }
  const { app: server } = createApp(watched, app.checkstand.parts)
  const call = caller({ fetch: server.fetch })
  return {
    house: (merchant) => ({ deps: watched, call, api: apiOf(call, merchant) }),
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
      const answer = await ask(asked)
      await pass()
      return answer
    }
  return {
    ...real,
    pay: followed((order) => real.pay(order)),
    authorise: followed((order) => real.authorise(order)),
    capture: followed((order) => real.capture(order)),
    refund: followed((order) => real.refund(order)),
    void: followed((order) => real.void(order)),
    query: followed((key) => real.query(key)),
    cancel: followed((key) => real.cancel(key)),
  }
}
