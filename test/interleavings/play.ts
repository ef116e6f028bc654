import { expect } from 'vitest'
import type { Merchant, TestApp } from '../app.ts'
import { guardTables } from '../money-model/guards.ts'
import { deleteMerchantData } from '../money-model/world.ts'
import { type Server, serverFor } from '../second-server.ts'
import { expectConsistentEnd, settleEverything } from './final-checks.ts'
import { RECONCILES, type Scenario } from './scenarios/actions.ts'
import { isSuperseded, QUERIES_SETUPS } from './scenarios/tasks.ts'

/** Performs an operation of a scenario, at the ordinary server unless another one is given. */
export type Perform = (name: string, server?: Server) => Promise<void>

/** What is done in a scenario. */
export type Course = (perform: Perform, merchant: Merchant) => Promise<unknown>

/** Whether one of some operations ends another one in the middle, as no sequential order does. */
const isUnordered = (names: readonly string[]) =>
  names.includes(RECONCILES) || names.includes(QUERIES_SETUPS) || isSuperseded(names)

interface Played {
  /** The records at the end, without ids and times. */
  end: string
  /** The operations that were refused, and so have done nothing. */
  refused: Set<string>
}

/**
 * Returns what runs a course of operations at once, on new records, and checks that they end as if
 * they had run one after another: in some order, without those that were refused. Resolves
 * with the refused operations.
 */
export async function openStage(
  app: TestApp,
): Promise<
  (scenario: Scenario, names: string[], course: Course, what?: string) => Promise<Set<string>>
> {
  await guardTables(app)
  const began = app.now()
  /** The sequential courses, by scenario and operations. */
  const sequences = new Map<Scenario, Map<string, Promise<Played>>>()

  async function play(scenario: Scenario, course: Course): Promise<Played> {
    app.pass(began - app.now())
    const logged = app.logged().length
    const merchant = await app.newMerchant()
    const refused = new Set<string>()
    try {
      const operations = await scenario(app, merchant)
      const perform: Perform = async (name, server = serverFor(app, merchant)) => {
        const { status, outcome } = outcomeOf(await operations[name]?.(server))
        expect(status, name).toBeLessThan(500)
        if (status >= 400 || outcome === 'BUSY' || outcome === 'GONE') refused.add(name)
      }
      await course(perform, merchant)
      await settleEverything({ app, merchant })
      const end = await expectConsistentEnd({ app, merchant })
      expect(app.logged().slice(logged)).not.toContain('"level":50')
      return { end, refused }
    } finally {
      await deleteMerchantData({ app, merchant })
    }
  }

  function inTurn(scenario: Scenario, names: string[]): Promise<Played> {
    const known = sequences.get(scenario) ?? new Map<string, Promise<Played>>()
    sequences.set(scenario, known)
    const key = names.join()
    const played =
      known.get(key) ??
      play(scenario, async (perform) => {
        for (const name of names) await perform(name)
      })
    known.set(key, played)
    return played
  }

  return async (scenario, names, course, what = names.join(', ')) => {
    const orders = [await inTurn(scenario, names), await inTurn(scenario, names.toReversed())]
    const { end, refused } = await play(scenario, course)
    if (isUnordered(names)) return refused
    const [first = '', second] = names
    const accepted = first === second ? [first] : names.filter((name) => !refused.has(name))
    const alone = refused.size > 0 ? [await inTurn(scenario, accepted)] : []
    const ends = [...orders, ...alone].map((order) => order.end)
    if (!ends.includes(end)) expect(end, what).toBe(ends.join('\nor\n'))
    return refused
  }
}

/** Returns the status and outcome of a response. A job has no response. */
function outcomeOf(answer: unknown): { status: number; outcome?: string } {
  const { status, json } = Object(answer) as { status?: number; json?: { outcome?: string } }
  return { status: status ?? 200, ...json }
}
