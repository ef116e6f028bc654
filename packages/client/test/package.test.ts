import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintPackage, packPackage, run } from '../../../test/packed-package.ts'

const CLIENT = join(import.meta.dirname, '..')
const packed = await packPackage(CLIENT)

const USE = `
  const client = new Checkstand({ baseUrl: 'http://127.0.0.1:1', key: 'k', retries: 0 })
  client.payments.list().then(() => {}, (error) => console.log(error.name, typeof verify))
`

describe('the package of the client', () => {
  it('is right in the eyes of publint and of are-the-types-wrong', () => lintPackage(CLIENT))

  it('works by import and by require from its tarball, without dependencies', async () => {
    const esm = `import { Checkstand } from 'checkstand-client'; import { verify } from 'checkstand-client/webhooks'; ${USE}`
    const cjs = `const { Checkstand } = require('checkstand-client'); const { verify } = require('checkstand-client/webhooks'); ${USE}`
    expect(await packed.execute('esm.mjs', esm)).toBe('ConnectionError function\n')
    expect(await packed.execute('cjs.cjs', cjs)).toBe('ConnectionError function\n')
    const manifest = join(packed.folder, 'node_modules/checkstand-client/package.json')
    expect(JSON.parse(await readFile(manifest, 'utf8'))).not.toHaveProperty('dependencies')
  })

  it('is at most 5 kB in a bundle', async () => {
    const { bytes } = await packed.bundle(`export * from 'checkstand-client'`)
    expect(bytes).toBeLessThanOrEqual(5000)
  })

  it('is typed by the description of the server as it is now', async () => {
    const types = join(CLIENT, 'src/types.gen.ts')
    const before = await readFile(types, 'utf8')
    const kept = join(packed.folder, 'types.gen.ts')
    await cp(types, kept)
    try {
      await run('npm', ['run', 'types'], { cwd: CLIENT })
      expect(await readFile(types, 'utf8')).toBe(before)
    } finally {
      await cp(kept, types)
    }
  })
})
