import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintPackage, packPackage } from '../../../test/packed-package.ts'

const EMBED = join(import.meta.dirname, '..')
const packed = await packPackage(EMBED)

describe('the package for shops', () => {
  it('is right in the eyes of publint and of are-the-types-wrong', () => lintPackage(EMBED))

  it('brings the embed script and nothing of the server', () => {
    const others = packed.files.filter(
      (path) =>
        !/^(?:README\.md|package\.json|dist\/(?:esm|cjs)\/(?:package\.json|widget\/embed\/|shared\/embed-messages\.))/.test(
          path,
        ),
    )
    expect(others).toEqual([])
  })

  it('can be imported and required where there is no browser, as servers do that render pages', async () => {
    const use = 'console.log(typeof mount, typeof open, typeof defineElement)'
    const esm = `import { mount, open } from 'checkstand-embed'; import { defineElement } from 'checkstand-embed/element'; ${use}`
    const cjs = `const { mount, open } = require('checkstand-embed'); const { defineElement } = require('checkstand-embed/element'); ${use}`
    expect(await packed.execute('esm.mjs', esm)).toBe('function function function\n')
    expect(await packed.execute('cjs.cjs', cjs)).toBe('function function function\n')
  })

  it.each([
    ['checkstand-embed', 1700],
    ['checkstand-embed/element', 1700],
    ['checkstand-embed/react', 1900],
  ])('takes little in a bundle: %s', async (name, most) => {
    const { bytes } = await packed.bundle(`export * from '${name}'`)
    expect(bytes).toBeLessThanOrEqual(most)
  })
})
