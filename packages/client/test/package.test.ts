import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The package as it is published. */

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const CLIENT = join(import.meta.dirname, '..')
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkstand-client-'))
  await run(process.execPath, [join(CLIENT, 'scripts/build.ts')])
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: CLIENT,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: folder,
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const USE = `
  const client = new Checkstand({ baseUrl: 'http://127.0.0.1:1', key: 'k', retries: 0 })
  client.payments.list().then(() => {}, (error) => console.log(error.name, typeof verify))
`

describe('the package', () => {
  it('is right in the eyes of publint and of are-the-types-wrong', async () => {
    expect((await run(bin('publint'), ['--strict', CLIENT])).stdout).toContain('All good')
    // Rejects for a problem. Node.js before 12.7 and its way to find types are not supported.
    await run(bin('attw'), ['--pack', CLIENT, '--profile', 'node16'])
  })

  it('has no dependencies, and works by import and by require from its tarball', async () => {
    const { dependencies } = JSON.parse(
      await readFile(join(folder, 'node_modules/checkstand-client/package.json'), 'utf8'),
    ) as { dependencies?: object }
    expect(dependencies).toBeUndefined()
    const esm = `import { Checkstand } from 'checkstand-client'; import { verify } from 'checkstand-client/webhooks'; ${USE}`
    const cjs = `const { Checkstand } = require('checkstand-client'); const { verify } = require('checkstand-client/webhooks'); ${USE}`
    for (const [name, code] of [
      ['esm.mjs', esm],
      ['cjs.cjs', cjs],
    ] as const) {
      await writeFile(join(folder, name), code)
      const { stdout } = await run(process.execPath, [name], { cwd: folder })
      expect(stdout).toBe('ConnectionError function\n')
    }
  })

  it('is at most 5 kB in a bundle', async () => {
    const built = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        target: 'es2022',
        minify: true,
        lib: {
          entry: join(folder, 'node_modules/checkstand-client/dist/esm/index.js'),
          formats: ['es'],
        },
      },
    })
    const [result] = [built].flat() as { output: { code: string }[] }[]
    const code = result?.output.map((chunk) => chunk.code).join('') ?? ''
    expect(brotliCompressSync(code).length).toBeLessThanOrEqual(5000)
  })

  it('is typed by the description of the server as it is now', async () => {
    const types = join(CLIENT, 'src/types.gen.ts')
    const before = await readFile(types, 'utf8')
    const kept = join(folder, 'types.gen.ts')
    await cp(types, kept)
    try {
      await run('npm', ['run', 'types'], { cwd: CLIENT })
      expect(await readFile(types, 'utf8')).toBe(before)
    } finally {
      await cp(kept, types)
    }
  })
})
