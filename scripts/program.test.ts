import { access, constants, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const { bin } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))

it('every program that is built can be run by its name, also after another build', async () => {
  expect(Object.keys(bin)).toEqual(['checkstand'])
  for (const path of Object.values<string>(bin)) {
    await expect(access(new URL(path, root), constants.X_OK)).resolves.toBeUndefined()
  }
})
