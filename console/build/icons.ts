import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const VIRTUAL = 'virtual:icons'
const LIST = new URL('../ui/icon-names.json', import.meta.url)

type IconNode = readonly [tag: string, attributes: Readonly<Record<string, string>>]

/** Provides the shapes of the icons that `console/ui/icon-names.json` lists, and of no other. */
export function icons(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : undefined),
    async load(id) {
      if (id !== `\0${VIRTUAL}`) return undefined
      const names = JSON.parse(await readFile(LIST, 'utf8')) as string[]
      const file = createRequire(import.meta.url).resolve('lucide-static/icon-nodes.json')
      const all = JSON.parse(await readFile(file, 'utf8')) as Record<string, IconNode[]>
      const shapes = names.map((name) => {
        const nodes = all[name]
        if (!nodes) throw new Error(`lucide has no icon ${name}`)
        return [name, nodes]
      })
      return `export default ${JSON.stringify(Object.fromEntries(shapes))}`
    },
  }
}
