import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import type { Db } from '../../server/db/tables.ts'
import type { Processor } from '../../server/processors/port.ts'
import type { TestApp } from '../app.ts'
import { type Wrap, wrapOperations } from '../wrap-operations.ts'

/** The order in which the steps of concurrent operations run. */
export interface Schedule {
  scheduler: fc.Scheduler
  /** Whether all waiting steps continue together, so that their transactions overlap. */
  atOnce: fc.Stream<boolean>
  /** How many turns a message needs to arrive: a request, or a processor's response. */
  delays: fc.Stream<number>
}

const pace = (atOnce: readonly boolean[], delays: readonly number[]): fc.Arbitrary<Schedule> =>
  fc.record({
    scheduler: fc.scheduler(),
    atOnce: fc.infiniteStream(fc.constantFrom(...atOnce)),
    delays: fc.infiniteStream(fc.constantFrom(...delays)),
  })

/** All in step, one after another, or mixed. */
export const schedules: fc.Arbitrary<Schedule> = fc.oneof(
  pace([true], [1]),
  pace([false], [1, 5, 20]),
  pace([false, false, false, true], [1, 5, 20]),
)

export interface Scheduler {
  /** Runs all actions step by step in the order of the schedule. Returns their results. */
  run: <T extends readonly unknown[]>(
    order: Schedule,
    acts: { [At in keyof T]: () => Promise<T[At]> },
  ) => Promise<T>
}

/**
 * Adds a step wherever state can change under an operation: after each query, before each
 * transaction, and before and after each processor call. No step is inside a transaction, where it
 * would hold locks. Without a schedule, operations run through.
 */
export function createScheduler(app: TestApp): Scheduler {
  let present: Schedule | undefined
  let moving = 0
  let stopped = () => {}

  function stop(): void {
    moving -= 1
    if (moving <= 0) stopped()
  }

  /** Resolves when every action waits for the scheduler or has finished. */
  async function stillness(): Promise<void> {
    // An action that was just released continues only now.
    await new Promise((resolve) => setImmediate(resolve))
    // oxlint-disable-next-line no-unmodified-loop-condition -- `stop` changes it meanwhile
    while (moving > 0) {
      await new Promise<void>((resolve) => {
        stopped = resolve
      })
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Waits for the scheduler. */
  const step: Step = async (label, isMessage = false) => {
    if (!present) return
    const { scheduler, delays } = present
    const turns = isMessage ? delays.next().value : 1
    for (let turn = 0; turn < turns; turn += 1) {
      stop()
      await scheduler.schedule(Promise.resolve(), label)
      moving += 1
    }
  }

  const { deps } = app.checkstand
  deps.db = scheduledDatabase(deps.db, step)
  const processors = deps.processors.builtIn
  const scheduled: Wrap = (name, operate) => async (operation) => {
    await step(`${name} is asked`, true)
    try {
      return await operate(operation)
    } finally {
      await step(`${name} is answered`, true)
    }
  }
  processors.set('sandbox', wrapOperations(processors.get('sandbox') as Processor, scheduled))

  return {
    async run(order, acts) {
      present = order
      let open = acts.length
      const perform = async (act: () => Promise<unknown>, at: number) => {
        moving += 1
        try {
          await step(`act ${at + 1} begins`, true)
          return await act()
        } finally {
          open -= 1
          stop()
        }
      }
      const outcomes = Promise.all(acts.map(perform))
      // A failure is reported after all actions have ended.
      outcomes.catch(() => {})
      // oxlint-disable-next-line no-unmodified-loop-condition -- each act that ends changes it
      while (open > 0) {
        await stillness()
        if (order.scheduler.count() === 0) continue
        const goOn = order.atOnce.next().value ? order.scheduler.count() : 1
        await order.scheduler.waitNext(goOn)
      }
      present = undefined
      return (await outcomes) as never
    },
  }
}

type Step = (label: string, isMessage?: boolean) => Promise<void>

function scheduledDatabase(db: Db, step: Step): Db {
  const afterEach: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await step('a statement was run')
      return result
    },
  }
  const staged = db.withPlugin(afterEach)
  staged.transaction = () => {
    const begin = db.transaction()
    const execute = begin.execute.bind(begin)
    begin.execute = async (callback) => {
      await step('a transaction begins')
      return execute(callback)
    }
    return begin
  }
  return staged
}
