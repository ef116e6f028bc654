// Tells whether a build is current, by a digest of its sources. Runs before anything is installed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const CONFIGURATION = ['shared', 'vite.config.ts', 'package.json', 'package-lock.json']
const SOURCES = {
  page: [
    'widget',
    'console',
    'locales',
    'docs',
    'server/docs',
    'scripts/build-docs.ts',
    'scripts/write-sbom.ts',
    ...CONFIGURATION,
  ],
  server: ['server', 'scripts/write-sbom.ts', ...CONFIGURATION],
  // `packages/create` is published as it is.
  packages: [
    'packages/build.ts',
    'packages/client',
    'packages/embed',
    'widget/embed',
    ...CONFIGURATION,
  ],
}

/** The parts that are built, each by the npm script `build:<part>`. */
export const BUILDS = Object.keys(SOURCES)

/** The file that holds the digest of what a part was last built of. */
export const stampOf = (part) => `dist/.built-${part}`

/** The digest of what a part is built of now. */
export const sourceDigest = (part) => digest(SOURCES[part])

export function isBuilt(part) {
  const stamp = join(root, stampOf(part))
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceDigest(part)
}

/** Returns a digest of the files at `paths`, which are relative to the project's folder. */
export function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesBelow)) {
    hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  // oxlint-disable-next-line unicorn/no-array-sort -- runs on Node 18 too, which has no toSorted
  const names = readdirSync(join(root, path)).sort()
  return names.filter(isSource).flatMap((name) => filesBelow(`${path}/${name}`))
}

/** The type checker keeps its own notes beside the sources. */
const isSource = (name) => !/\.test\.tsx?$|\.tsbuildinfo$|^(?:dist|node_modules)$/.test(name)
