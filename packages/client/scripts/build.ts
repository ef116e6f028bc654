import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

/** Builds the package twice, for `import` and for `require`: `npm run client:build`. */

const folder = new URL('../', import.meta.url)
const path = (name: string) => new URL(name, folder).pathname
rmSync(path('dist'), { recursive: true, force: true })
for (const [kind, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
] as const) {
  execFileSync('tsc', ['-p', path(`tsconfig.${kind}.json`)], { stdio: 'inherit' })
  // Node and TypeScript read the format of a file from the nearest package.json.
  writeFileSync(path(`dist/${kind}/package.json`), `{"type": "${type}"}\n`)
}
