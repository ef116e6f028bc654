import { readFile, readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../server/root.ts'

describe('parts of Hono with a history', () => {
  it('are not used, and its version is pinned beyond their advisories', async () => {
    const { devDependencies } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
    const [major, minor, patch] = devDependencies.hono.split('.').map(Number)
    expect([major, minor >= 13, minor > 13 || patch >= 19]).toEqual([4, true, true])
    const files = (await readdir(new URL('server/', ROOT), { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    expect(files.length).toBeGreaterThan(200)
    for (const name of files) {
      const source = await readFile(new URL(`server/${name}`, ROOT), 'utf8')
      const avoided =
        /'hono\/(body-limit|cache|cors|csrf|ip-restriction|jwt|secure-headers)'|\.mount\(/
      expect([name, avoided.exec(source)?.[0]]).toEqual([name, undefined])
    }
  })
})

describe('what others have written', () => {
  it('comes in one version each, is checked by its hash, and runs nothing when it is installed', async () => {
    const read = async (name: string) => readFile(new URL(name, ROOT), 'utf8')
    const { dependencies, devDependencies, workspaces } = JSON.parse(await read('package.json'))
    const all = { ...dependencies, ...devDependencies }
    const ours = await Promise.all(
      (workspaces as string[]).map(async (folder) =>
        JSON.parse(await read(`${folder}/package.json`)),
      ),
    )
    const ofWorkspaces = ours.map((workspace) => ({
      ...workspace.dependencies,
      ...workspace.devDependencies,
    }))
    for (const [name, version] of [all, ...ofWorkspaces].flatMap((each) => Object.entries(each))) {
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)])
    }
    // The project itself and its workspaces, with the links to them, are not downloaded.
    const isOurs = new Set(['', ...workspaces, ...ours.map(({ name }) => `node_modules/${name}`)])
    const lock = JSON.parse(await read('package-lock.json')).packages as Record<string, Package>
    for (const [path, { version, integrity }] of Object.entries(lock)) {
      if (!isOurs.has(path))
        expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
      const name = path.replace('node_modules/', '')
      if (name in all) expect([name, version]).toEqual([name, all[name]])
    }
    expect(await read('scripts/prepare.mjs')).toContain("npm('ci', '--ignore-scripts'")
  })

  it('puts at most three packages of the inventory into the payer’s page', async () => {
    const folders = ['widget/page/', 'shared/rules/']
    const found = new Set<string>()
    for (const folder of folders) {
      const names = await readdir(new URL(folder, ROOT), { recursive: true })
      for (const name of names.filter((each) => /(?<!\.test)\.tsx?$/.test(each))) {
        // Runs on the server only.
        if (name === 'render.tsx') continue
        const text = await readFile(new URL(folder + name, ROOT), 'utf8')
        // A type reaches no browser.
        const source = text.replaceAll(/^import type [^;]*? from '[^']+'$/gm, '')
        for (const [, from = ''] of source.matchAll(/from '((?:@[^'/]+\/)?[^'./][^'/]*)/g))
          found.add(from)
      }
    }
    expect(found).toContain('preact')
    expect(found.size).toBeLessThanOrEqual(3)
    const inventory = await readFile(new URL('docs/decisions.md', ROOT), 'utf8')
    for (const name of found) expect(inventory).toContain(`\`${name}\``)
  })
})

interface Package {
  version: string
  integrity?: string
}
