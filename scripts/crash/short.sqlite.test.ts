import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type Bug, BUGS } from './bugs.ts'
import { type CrashReport, runCrash } from './harness.ts'
import { INVARIANTS } from './invariants/index.ts'

/** A crash run in short, and that it would have told. `npm run crash` is the long one. */

const TIMEOUT = { timeout: 300_000 }

/** The seed is another one each time, so that many short runs come to a long one. */
async function run(kills: number, bug?: Bug): Promise<CrashReport> {
  const seed = Math.floor(Math.random() * 1e9)
  const lines: string[] = []
  const report = await runCrash({
    kills,
    database: 'sqlite',
    seed,
    bug,
    say: (line) => lines.push(line),
  })
  if (bug === undefined && report.violations.length > 0) {
    throw new Error([...lines, ...report.violations].join('\n'))
  }
  await rm(report.folder, { recursive: true, force: true })
  return report
}

it('a server that is killed under its clients keeps every promise', TIMEOUT, async () => {
  const report = await run(3)
  expect(report).toMatchObject({ violations: [], kills: 3 })
  // A run in which nothing happened would keep every promise too.
  for (const op of ['pay', 'submit', 'link.edit', 'strings.save', 'code.redeem', 'read']) {
    expect(report.answered, op).toHaveProperty([op])
  }
  expect(report.unknown).toBeGreaterThan(0)
})

it.for(Object.entries(BUGS) as [Bug, string][])(
  'the planted mistake %s breaks %s',
  TIMEOUT,
  async ([bug, invariant]) => {
    const { violations } = await run(8, bug)
    expect(violations.filter((line) => line.startsWith(`${invariant} `))).not.toEqual([])
  },
)

it('each invariant of the design is looked at, or says where it is', () => {
  const numbers = Array.from({ length: 21 }, (_, at) => `I${at + 1}`)
  expect(INVARIANTS.map(({ id }) => id)).toEqual(numbers)
  for (const { id, broken, shownBy } of INVARIANTS) {
    expect(broken ?? shownBy, id).toBeDefined()
  }
})
