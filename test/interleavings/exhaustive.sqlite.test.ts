import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../app.ts'
import { expectConsistentEnd, settleEverything } from './final-checks.ts'
import { type Server, serverFor } from '../second-server.ts'
import { openInterruptibleServer } from './interleave.ts'
import {
  authorisation,
  RECONCILES,
  challengedLink,
  contract,
  dueCharge,
  openLink,
  payment,
  type Scenario,
  writtenOff,
} from './scenarios.ts'
import { guardTables } from '../money-model/guards.ts'
import { deleteMerchantData } from '../money-model/world.ts'

/**
 * Runs one operation completely at each interruption point of another, each time on new records.
 * State that was read before the point is stale by then, and must decide nothing.
 *
 * On SQLite only: between transactions PostgreSQL behaves the same, and takes three times as long.
 */

const app = await startTestApp()
await guardTables(app)
const moments = openInterruptibleServer(app)
const began = app.now()

/** The records, and which of their operations are interrupted at every point. */
const THINGS: [thing: string, scene: Scenario, interrupted: string[]][] = [
  ['a link', openLink, ['a payer pays', 'a payer’s card is declined', 'it is archived']],
  [
    'a link whose payer is at their bank',
    challengedLink,
    ['the payer comes back', 'they pay with another card', 'they are given up'],
  ],
  [
    'an authorisation',
    authorisation,
    ['a part is captured', 'the last part is captured', 'it is let go'],
  ],
  ['a payment', payment, ['a part is given back']],
  ['a charge that is due', dueCharge, ['it is collected', 'a part is paid']],
  ['a charge that was written off', writtenOff, ['the collector comes by']],
  ['a contract', contract, ['its charge is made and collected']],
]

type Perform = (name: string, server?: Server) => Promise<void>

interface Played {
  end: string
  /** What was refused, and so has done nothing. */
  refused: Set<string>
}

/** Makes the thing anew, does something to it, and answers how it ends. */
async function play(
  scene: Scenario,
  way: (perform: Perform, merchant: Merchant) => Promise<void>,
): Promise<Played> {
  app.pass(began - app.now())
  const logged = app.logged().length
  const merchant = await app.newMerchant()
  const refused = new Set<string>()
  const perform = async (acts: Awaited<ReturnType<Scenario>>, name: string, server: Server) => {
    const { status, outcome } = outcomeOf(await acts[name]?.(server))
    expect(status, name).toBeLessThan(500)
    if (status >= 400 || outcome === 'BUSY' || outcome === 'GONE') refused.add(name)
  }
  try {
    const acts = await scene(app, merchant)
    const ordinary = serverFor(app, merchant)
    await way((name, server = ordinary) => perform(acts, name, server), merchant)
    await settleEverything({ app, merchant })
    const end = await expectConsistentEnd({ app, merchant })
    expect(app.logged().slice(logged)).not.toContain('"level":50')
    return { end, refused }
  } finally {
    await deleteMerchantData({ app, merchant })
  }
}

/** Returns the status and outcome of a response. A job has no response. */
function outcomeOf(answer: unknown): { status: number; outcome?: string } {
  const { status, json } = Object(answer) as { status?: number; json?: { outcome?: string } }
  return { status: status ?? 200, ...json }
}

/** Runs `other` at every point of `one`. The end state must equal that of a sequential order. */
async function interleave(scene: Scenario, one: string, other: string): Promise<void> {
  const endOf = async (...names: string[]) =>
    (
      await play(scene, async (perform) => {
        for (const name of names) await perform(name)
      })
    ).end
  const inTurn = [await endOf(one, other), await endOf(other, one)]
  for (let moment = 1, seen = 1; moment <= seen; moment += 1) {
    const { end, refused } = await play(scene, async (perform, merchant) => {
      const act = () => perform(one, moments.serverFor(merchant))
      seen = await moments.during(act, moment, () => perform(other))
    })
    if (other === RECONCILES || inTurn.includes(end)) continue
    const isRefused = one === other ? refused.size > 0 : refused.size === 1
    const alone = isRefused ? [await endOf(refused.has(other) ? one : other)] : []
    expect([...inTurn, ...alone], `${other}, in moment ${moment} of ${seen}`).toContain(end)
  }
}

describe.each(THINGS)('%s', async (_thing, scene, interrupted) => {
  const acts = Object.keys(await scene(app, await app.newMerchant()))
  it.each(interrupted)(
    'moves money at most once and stays consistent, whatever else happens while %s',
    async (one) => {
      for (const other of acts) await interleave(scene, one, other)
    },
  )
})
