import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { testFolder } from './folder.ts'

const options = await extractDepcruiseOptions(
  join(import.meta.dirname, '..', '.dependency-cruiser.mjs'),
)

/** Returns the rules that the sources break, each as `rule: from -> to`. */
async function violations(sources: Readonly<Record<string, string>>): Promise<string[]> {
  const baseDir = await testFolder()
  onTestFinished(() => rm(baseDir, { recursive: true }))
  for (const [path, source] of Object.entries(sources)) {
    await mkdir(dirname(join(baseDir, path)), { recursive: true })
    await writeFile(join(baseDir, path), source)
  }
  const { output } = await cruise(Object.keys(sources), { ...options, baseDir })
  const { summary } = output as ICruiseResult
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).toSorted()
}

it('finds a circle that consists of types alone', async () => {
  const found = await violations({
    'server/charges/a.ts': `import { type B } from './b.ts'\nexport type A = B | 1`,
    'server/charges/b.ts': `import { type A } from './a.ts'\nexport type B = A | 2`,
  })
  expect(found).not.toEqual([])
  for (const violation of found) expect(violation).toMatch(/^no circle between files: /)
})

it('finds every kind of import of a higher layer', async () => {
  const imports = { inline: '{ type Payment }', type: 'type { Payment }', value: '{ Payment }' }
  const sources = Object.entries(imports).map(([name, imported]) => [
    `server/charges/${name}.ts`,
    `import ${imported} from '../payments/store.ts'\nexport const charge: Payment = new Payment()`,
  ])
  const found = await violations({
    ...Object.fromEntries(sources),
    'server/payments/store.ts': 'export class Payment {}',
  })
  expect(found).toEqual(
    Object.keys(imports).map(
      (name) =>
        `server/charges/ looks down only: server/charges/${name}.ts -> server/payments/store.ts`,
    ),
  )
})

it('finds a file of the server that has no layer', async () => {
  const found = await violations({
    'server/utilities/today.ts': `import { now } from '../clock.ts'\nexport const today = now`,
    'server/clock.ts': 'export const now = 1',
  })
  expect(found).toEqual([
    'every file of the server has a layer: server/utilities/today.ts -> server/clock.ts',
  ])
})

it('finds an import of a test by the product', async () => {
  const found = await violations({
    'server/charges/load.ts': `import { type App } from '../../test/app.ts'\nexport type Charge = App`,
    'test/app.ts': 'export interface App { id: string }',
  })
  expect(found).toEqual(['products import no tests: server/charges/load.ts -> test/app.ts'])
})

it('accepts imports of the same and of a lower layer', async () => {
  const found = await violations({
    'server/payments/load.ts': `import { type Charge } from '../charges/store.ts'\nexport type P = Charge`,
    'server/charges/store.ts': 'export interface Charge { id: string }',
  })
  expect(found).toEqual([])
})
