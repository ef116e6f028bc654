import { readdir, readFile, writeFile } from 'node:fs/promises'
import about from '../package.json' with { type: 'json' }

/**
 * Writes `dist/sbom.cdx.json`, which lists the packages whose code is in the builds, with their licences, as
 * CycloneDX. Packages that npm installs beside the product are in `npm sbom`, these are not.
 */

const DIST = new URL('../dist/', import.meta.url)

interface Bundled {
  name: string
  version: string
  /** Of the licence, an expression of SPDX. */
  identifier: string | null
}

/** The reference of the API is copied from its package, rather than built. */
const SCALAR = new URL('../node_modules/@scalar/api-reference/package.json', import.meta.url)

interface Manifest {
  name: string
  version: string
  license: string
}

const { license, ...scalar } = JSON.parse(await readFile(SCALAR, 'utf8')) as Manifest

async function bundledIn(folder: string): Promise<Bundled[]> {
  const files = await readdir(new URL(folder, DIST), { recursive: true }).catch(() => [])
  const lists = files
    .filter((file) => file.endsWith('bundled.json'))
    .map((file) => readFile(new URL(`${folder}/${file}`, DIST), 'utf8'))
  return (await Promise.all(lists)).flatMap((text) => JSON.parse(text) as Bundled[])
}

const folders = ['console', 'embed', 'page', 'preview', 'render', 'server', 'task']
const bundled = (await Promise.all(folders.map(bundledIn))).flat()
const byPurl = new Map(
  [...bundled, { ...scalar, identifier: license }].map((each) => [purlOf(each), each]),
)
const components = [...byPurl]
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(([purl, { name, version, identifier }]) => ({
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(identifier && { licenses: [{ expression: identifier }] }),
  }))

await writeFile(
  new URL('sbom.cdx.json', DIST),
  `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: {
          type: 'application',
          'bom-ref': purlOf(about),
          name: about.name,
          version: about.version,
          purl: purlOf(about),
          licenses: [{ expression: about.license }],
        },
      },
      components,
    },
    null,
    1,
  )}\n`,
)

/** The address of a package by the rules of Package URL, where a scope begins with `%40`. */
function purlOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
}
