import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import type { Db } from '../../server/db/tables.ts'
import type { Processor } from '../../server/processors/port.ts'
import type { TestApp } from '../app.ts'

/** In which order the steps of operations are taken that are under way at the same time. */
export interface Schedule {
  scheduler: fc.Scheduler
  /** Whether all who wait go on at once this time, so that their transactions overlap. */
  atOnce: fc.Stream<boolean>
  /** How often a message has to be chosen until it arrives: a request to us, or the processor's. */
  delays: fc.Stream<number>
}

const pace = (atOnce: readonly boolean[], delays: readonly number[]): fc.Arbitrary<Schedule> =>
  fc.record({
    scheduler: fc.scheduler(),
    atOnce: fc.infiniteStream(fc.constantFrom(...atOnce)),
    delays: fc.infiniteStream(fc.constantFrom(...delays)),
  })

/** Everybody in step, or one after another, or as it comes. */
export const schedules: fc.Arbitrary<Schedule> = fc.oneof(
  pace([true], [1]),
  pace([false], [1, 5, 20]),
  pace([false, false, false, true], [1, 5, 20]),
)

export interface Scheduler {
  /** Runs all of them, one step of one of them after another. Answers what they answer. */
  run: <T extends readonly unknown[]>(
    order: Schedule,
    acts: { [At in keyof T]: () => Promise<T[At]> },
  ) => Promise<T>
}

/**
 * Puts a step wherever an operation lets go of what it knows: after each look at the database,
 * before each transaction, and before and after everything that is asked of the processor. Nothing
 * stops inside a transaction, where it could hold what others wait for. While nothing is played,
 * operations run through.
 */
export function createScheduler(app: TestApp): Scheduler {
  let present: Schedule | undefined
  let moving = 0
  let stopped = () => {}

  function stop(): void {
    moving -= 1
    if (moving <= 0) stopped()
  }

  /** Until everybody waits for the scheduler, or has finished. */
  async function stillness(): Promise<void> {
    // Whoever was just told to go on is moving only now.
    await new Promise((resolve) => setImmediate(resolve))
    // oxlint-disable-next-line no-unmodified-loop-condition -- `stop` changes it meanwhile
    while (moving > 0) {
      await new Promise<void>((resolve) => {
        stopped = resolve
      })
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Waits for the scheduler; the others see that this one stands still. */
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
  const processors = deps.processors as Map<string, Processor>
  processors.set('sandbox', scheduledProcessor(processors.get('sandbox') as Processor, step))

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
      // Whoever fails is heard at the end; until then nobody else is left standing.
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

function scheduledProcessor(real: Processor, step: Step): Processor {
  const staged =
    <Asked, Answered>(name: string, ask: (asked: Asked) => Promise<Answered>) =>
    async (asked: Asked): Promise<Answered> => {
      await step(`${name} is asked`, true)
      try {
        return await ask(asked)
      } finally {
        await step(`${name} is answered`, true)
      }
    }
  return {
    ...real,
    pay: staged('pay', (order) => real.pay(order)),
    authorise: staged('authorise', (order) => real.authorise(order)),
    capture: staged('capture', (order) => real.capture(order)),
    refund: staged('refund', (order) => real.refund(order)),
    void: staged('void', (order) => real.void(order)),
    query: staged('query', (order) => real.query(order)),
    cancel: staged('cancel', (order) => real.cancel(order)),
  }
}
