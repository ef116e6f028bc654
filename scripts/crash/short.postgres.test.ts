import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { runCrash } from './harness.ts'

/** As `short.sqlite.test.ts`, with two servers that are killed in turn, and the database itself. */

it('two servers and a database that end in turn keep every promise', async () => {
  const lines: string[] = []
  const report = await runCrash({
    kills: 3,
    database: 'postgres',
    seed: Math.floor(Math.random() * 1e9),
    say: (line) => lines.push(line),
  })
  if (report.violations.length > 0) throw new Error([...lines, ...report.violations].join('\n'))
  expect(report.kills).toBe(3)
  expect(report.unknown).toBeGreaterThan(0)
  await rm(report.folder, { recursive: true, force: true })
}, 300_000)
