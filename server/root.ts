import { existsSync } from 'node:fs'

/**
 * The folder of the product, in which `locales/` and `dist/` are: the nearest one above this file
 * with a `package.json`, since the same code runs from its sources and from what is built of them.
 */
export const ROOT = rootAbove(new URL('./', import.meta.url))

function rootAbove(folder: URL): URL {
  const parent = new URL('../', folder)
  if (existsSync(new URL('package.json', folder)) || parent.href === folder.href) return folder
  return rootAbove(parent)
}
