#!/usr/bin/env node
import { readFileSync } from 'node:fs'
// The whole module, because an older Node would fail on a missing name without naming the required
// version.
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './cli/run-command-line.ts'
import { assertNodeVersion } from './node-version.ts'
import { ROOT } from './root.ts'

const { engines } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))

try {
  assertNodeVersion(process.versions.node, engines.node)
  // Caches compiled code between starts. If the folder is not writable, nothing is cached.
  modules.enableCompileCache(fileURLToPath(new URL('dist/compiled/', ROOT)))
  process.exitCode = await runCommandLine(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
