import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { repetitions } from '../../test/depth.ts'
import { runCrash } from './harness.ts'

/** As `short.sqlite.test.ts`, with two servers and the database, which are killed in turn. */

const KILLS = repetitions(2, 30)

it('two servers and a database that are killed in turn keep every invariant', async () => {
  const lines: string[] = []
  const report = await runCrash({
    kills: KILLS,
    database: 'postgres',
    seed: Math.floor(Math.random() * 1e9),
    say: (line) => lines.push(line),
  })
  if (report.violations.length > 0) throw new Error([...lines, ...report.violations].join('\n'))
  expect(report.kills).toBe(KILLS)
  expect(report.unknown).toBeGreaterThan(0)
  await rm(report.folder, { recursive: true, force: true })
}, 600_000)
