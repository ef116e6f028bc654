import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { readDocument } from './document.ts'
import {
  countCommands,
  describedExamples,
  documentedEvents,
  documentedExamples,
} from './examples.ts'
import { OUTPUT } from './output.ts'
import { writeEvent, writeExample } from './write-example.ts'

/**
 * Two widely used generators make clients of the interface description, and everything that the
 * documentation shows is written with these clients and compiled. A new example is checked too.
 */

const GENERATE = fileURLToPath(new URL('generate.ts', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const document = readDocument()
const modules = [
  ...[...documentedExamples(), ...describedExamples(document)].map((example) => ({
    where: example.where,
    source: () => writeExample(document, example),
  })),
  ...documentedEvents().map((event) => ({ where: event.where, source: () => writeEvent(event) })),
].map((module) => ({ ...module, file: `${module.where.replaceAll(/\W+/g, '-')}.ts` }))

/** What no client may take: an amount that is a number, an option that is misspelt. */
const WRONG = `
import createClient from 'openapi-fetch'
import type { paths } from '../openapi-typescript'
import { createPaymentLink } from '../hey-api'
const client = createClient<paths>()
export const amount = client.POST('/payment_links', { body: { payment_link: { options: { amount: 24 } } } })
export const option = createPaymentLink({ body: { payment_link: { options: { amuont: '24.00' } } } })
`

/** Errors of the compiler, by the file they are in. */
let problems: Map<string, string[]>

beforeAll(async () => {
  await mkdir(OUTPUT, { recursive: true })
  const generated = run(GENERATE)
  expect(generated.status, generated.stderr).toBe(0)
  for (const { file, source } of modules) {
    await writeFile(`${OUTPUT}examples/${file}`, sourceOr(source))
  }
  await writeFile(`${OUTPUT}examples/wrong.ts`, WRONG)
  const { stdout } = run(TSC, '-p', OUTPUT, '--pretty', 'false')
  const lines = stdout.split('\n').filter((line) => line !== '')
  problems = Map.groupBy(lines, (line) => /^([^(\s]+)\(/.exec(line)?.[1] ?? '')
}, 300_000)

/** The generators need much memory, which a program of their own gives back. */
function run(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: OUTPUT, encoding: 'utf8' })
}

/** A request without an operation fails a test of its own. */
function sourceOr(source: () => string): string {
  try {
    return source()
  } catch (error) {
    return `export const broken: never = ${JSON.stringify(String(error))}\n`
  }
}

describe('a client made from the interface description', () => {
  it.each(['openapi-typescript.ts', 'hey-api/'])('compiles under --strict: %s', (place) => {
    const found = [...problems].filter(([file]) => file.startsWith(place))
    expect(found).toEqual([])
  })

  it('refuses what the interface refuses', () => {
    const found = problems.get('examples/wrong.ts')?.join('\n')
    expect(found).toMatch(/TS2322.*'number' is not assignable to type 'string/)
    expect(found).toMatch(/'amuont' does not exist/)
  })

  it('fits every request, answer and event that the documentation shows', () => {
    expect(modules.length).toBeGreaterThan(10)
    expect(documentedExamples().length).toBeGreaterThanOrEqual(countCommands())
  })

  it.each(modules)('compiles $where without a cast', ({ file }) => {
    expect(problems.get(`examples/${file}`) ?? []).toEqual([])
  })
})
