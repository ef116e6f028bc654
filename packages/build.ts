import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Builds the package in the working folder twice, for `import` and for `require`: `npm run build:packages`. */

const tsc = join(import.meta.dirname, '../node_modules/.bin/tsc')
rmSync('dist', { recursive: true, force: true })
for (const [kind, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
] as const) {
  execFileSync(tsc, ['-p', `tsconfig.${kind}.json`], { stdio: 'inherit' })
  // Node and TypeScript read the format of a file from the nearest package.json.
  writeFileSync(`dist/${kind}/package.json`, `{"type": "${type}"}\n`)
}
