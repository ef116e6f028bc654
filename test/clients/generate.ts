import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { DOCUMENT } from './document.ts'
import { OUTPUT } from './output.ts'

/**
 * Generates a client with each generator, in place of what was generated before: `node
 * test/clients/generate.ts`.
 */

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    // What was generated is part of what is checked.
    skipLibCheck: false,
    noEmit: true,
    types: [],
  },
  include: ['**/*.ts'],
}

async function generateClients(): Promise<void> {
  await rm(OUTPUT, { recursive: true, force: true })
  await mkdir(`${OUTPUT}examples`, { recursive: true })
  await writeFile(`${OUTPUT}tsconfig.json`, JSON.stringify(TSCONFIG))
  await writeFile(`${OUTPUT}openapi-typescript.ts`, astToString(await openapiTypescript(DOCUMENT)))
  await createClient({
    input: fileURLToPath(DOCUMENT),
    output: `${OUTPUT}hey-api`,
    logs: { level: 'silent' },
  })
}

await generateClients()
