import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { isDeep, repetitions } from '../../test/depth.ts'
import { type Bug, BUGS } from './bugs.ts'
import { type CrashOptions, type CrashReport, runCrash } from './harness.ts'
import { INVARIANTS } from './invariants/index.ts'

/** A short crash run, and a proof that such a run finds bugs. `npm run crash` takes any length. */

const TIMEOUT = { timeout: 600_000 }
const database = process.env['CHECKSTAND_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite'

/** Each run has a new seed, so that many short runs cover what a long one does. */
async function run(
  kills: number,
  { bug, processor = 'sandbox' }: Partial<Pick<CrashOptions, 'bug' | 'processor'>> = {},
): Promise<CrashReport> {
  const seed = Math.floor(Math.random() * 1e9)
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const report = await runCrash({ kills, database, processor, seed, bug, say })
  if (bug === undefined && report.violations.length > 0) {
    throw new Error([...lines, ...report.violations].join('\n'))
  }
  await rm(report.folder, { recursive: true, force: true })
  return report
}

it('servers and a database that are killed under load keep every invariant', TIMEOUT, async () => {
  const kills = repetitions(1, 30)
  // A violation ends the test at once; a run on a slow machine that did too little is repeated.
  let report = await run(kills)
  for (let left = 2; left > 0 && missingFrom(report).length > 0; left -= 1)
    report = await run(kills)
  expect(report).toMatchObject({ violations: [], kills })
  expect(missingFrom(report)).toEqual([])
})

/** Returns what an idle run lacks, which would keep every invariant too. */
function missingFrom({ answered, unknown }: CrashReport): string[] {
  const everyRun = ['pay', 'submit', 'link.edit', 'strings.save', 'code.redeem', 'read']
  const longRun = isDeep ? ['deep_link.create', 'task.save', 'entity.edit'] : []
  const isAnswered = (op: string) => Object.hasOwn(answered, op)
  return [
    ...[...everyRun, ...longRun].filter((op) => !isAnswered(op)),
    // Only what has taken money can be followed.
    ...(['capture', 'refund', 'void'].some(isAnswered) ? [] : ['capture, refund or void']),
    ...(unknown > 0 ? [] : ['a call without a response']),
  ]
}

// In `npm test`, test/stripe-failpoints.test.ts and the simulation show it.
it.runIf(isDeep)(
  'servers that are killed while Stripe takes the money keep every invariant',
  TIMEOUT,
  async () => {
    const kills = 20
    const report = await run(kills, { processor: 'stripe' })
    expect(report).toMatchObject({ violations: [], kills })
    for (const op of ['pay', 'submit', 'refund', 'capture', 'void']) {
      expect(report.answered, op).toHaveProperty([op])
    }
    expect(report.unknown).toBeGreaterThan(0)
  },
)

const planted = Object.entries(BUGS) as [Bug, string][]

it.runIf(isDeep && database === 'sqlite').for(planted)(
  'finds that the planted bug %s breaks %s',
  TIMEOUT,
  async ([bug, invariant]) => {
    const { violations } = await run(8, { bug })
    expect(violations.filter((line) => line.startsWith(`${invariant} `))).not.toEqual([])
  },
)

it('checks each invariant, or names the test that does', () => {
  const numbers = Array.from({ length: 28 }, (_, at) => `I${at + 1}`)
  expect(INVARIANTS.map(({ id }) => id)).toEqual(numbers)
  for (const { id, findViolations, checkedBy } of INVARIANTS) {
    expect(findViolations ?? checkedBy, id).toBeDefined()
  }
})
