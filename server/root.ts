import { existsSync } from 'node:fs'

/**
 * The folder of the product with `locales/` and `dist/`: the nearest one above this file with a
 * `package.json`, because the same code runs from its sources and from the build.
 */
export const ROOT = rootAbove(new URL('./', import.meta.url))

function rootAbove(folder: URL): URL {
  const parent = new URL('../', folder)
  if (existsSync(new URL('package.json', folder)) || parent.href === folder.href) return folder
  return rootAbove(parent)
}
