import type fc from 'fast-check'
import type { Processor } from '../processors/port.ts'
import type { TestApp } from './app.ts'

/** Operations that are under way at the same time, one step of one of them after another. */
export interface Stage {
  /** Runs all of them, and lets the scheduler choose at each step which one goes on. */
  play: <T extends readonly unknown[]>(
    scheduler: fc.Scheduler,
    acts: { [At in keyof T]: () => Promise<T[At]> },
  ) => Promise<T>
}

/**
 * Puts a step before and after everything that is asked of the processor: a request may wait on its
 * way there, and an answer on its way back, for as long as the scheduler likes. While nothing is
 * played, operations run through.
 */
export function openStage(app: TestApp): Stage {
  let scheduler: fc.Scheduler | undefined
  let moving = 0

  /** Waits for the scheduler; the others see that this one stands still. */
  async function step(label: string): Promise<void> {
    if (!scheduler) return
    moving -= 1
    await scheduler.schedule(Promise.resolve(), label)
    moving += 1
  }

  /** Until everybody waits for the scheduler, or has finished. */
  async function stillness(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (moving > 0)
  }

  const processors = app.checkstand.deps.processors as Map<string, Processor>
  const real = processors.get('sandbox') as Processor
  const staged =
    <Asked, Answered>(name: string, ask: (asked: Asked) => Promise<Answered>) =>
    async (asked: Asked): Promise<Answered> => {
      await step(`${name} is asked`)
      try {
        return await ask(asked)
      } finally {
        await step(`${name} is answered`)
      }
    }
  processors.set('sandbox', {
    ...real,
    pay: staged('pay', real.pay),
    authorise: staged('authorise', real.authorise),
    capture: staged('capture', real.capture),
    refund: staged('refund', real.refund),
    void: staged('void', real.void),
    query: staged('query', real.query),
    cancel: staged('cancel', real.cancel),
  })

  return {
    async play(given, acts) {
      scheduler = given
      let open = acts.length
      const perform = async (act: () => Promise<unknown>, at: number) => {
        moving += 1
        try {
          await step(`act ${at + 1} begins`)
          return await act()
        } finally {
          moving -= 1
          open -= 1
        }
      }
      const outcomes = Promise.all(acts.map(perform))
      // Whoever fails is heard at the end; until then nobody else is left standing.
      outcomes.catch(() => {})
      for (;;) {
        await stillness()
        if (open === 0) break
        await given.waitNext(1)
      }
      scheduler = undefined
      return (await outcomes) as never
    },
  }
}
