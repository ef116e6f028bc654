import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../scripts/build-stamp.mjs'

/** The program as it ships, or its sources where the build is not current: those start more slowly. */
export const PROGRAM = fileURLToPath(
  new URL(isBuilt('server') ? '../dist/server/main.js' : '../server/main.ts', import.meta.url),
)

/** The command that serves. */
export const SERVE = [process.execPath, PROGRAM, 'serve']

/** The server in a process of its own, for tests that end it. */
export interface Program {
  base: string
  process: ChildProcess
  /** Returns stdout and stderr so far. */
  output: () => string
  /** Returns the content of the first-start file, which replaces a message on a terminal. */
  firstStart: () => string
  /** Resolves with the exit code, or with the signal that ended the process. */
  ended: Promise<number | string | null>
}

export const PROGRAM_KEY = 'sk_test_program_4f9c21d07ab83e65c1f2970d8be4a3f6'

/**
 * Starts `checkstand serve`, or another command that runs the product, on a free port and resolves
 * when it is ready. `settings` may depend on the port.
 */
export async function startProgram(
  databaseUrl: string,
  settings: Record<string, string> | ((port: number) => Record<string, string>) = {},
  [command = '', ...args]: readonly string[] = SERVE,
): Promise<Program> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const firstStartFile = join(tmpdir(), `checkstand-first-start-${randomUUID()}.txt`)
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      BASE_URL: base,
      DATABASE_URL: databaseUrl,
      CHECKSTAND_SECRET_KEY: PROGRAM_KEY,
      PAYER_PAUSE_MS: '0',
      WARM_UP: '0',
      CHECKSTAND_FIRST_START_FILE: firstStartFile,
      API_RATE: '0',
      ...(typeof settings === 'function' ? settings(port) : settings),
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const ended = new Promise<number | string | null>((resolve) =>
    child.on('exit', (code, signal) => resolve(signal ?? code)),
  )
  const firstStart = () => (existsSync(firstStartFile) ? readFileSync(firstStartFile, 'utf8') : '')
  void ended.then(() => rmSync(firstStartFile, { force: true }))
  const program = { base, process: child, output: () => output, firstStart, ended }
  await until('the program to listen', async () => {
    if (child.exitCode !== null) throw new Error(`The program did not start: ${output}`)
    // Something else may answer on the port; only the program itself says this.
    if (!output.includes('is listening at')) return false
    return fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return program
}

/** Polls `look` until it returns something truthy. Throws after 90 seconds. */
export async function until<T>(what: string, look: () => Promise<T>): Promise<NonNullable<T>> {
  // Generous, so that a busy machine fails no test.
  const deadline = performance.now() + 90_000
  while (performance.now() < deadline) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`timed out waiting for ${what}`)
}

/** Below the ports that systems give to outgoing connections and to those who ask for any port. */
const FIRST_PORT = 10_000
const PORTS_PER_WORKER = 200
const WORKERS_MAX = 100
let portsGiven = 0

/**
 * Returns a free port that no other worker of this test run gets: a program that is still starting
 * does not occupy its port, and two on one port would answer for each other.
 */
export async function freePort(): Promise<number> {
  const worker = workerNumber() % WORKERS_MAX
  for (let tries = 0; tries < PORTS_PER_WORKER; tries += 1) {
    const port = FIRST_PORT + worker * PORTS_PER_WORKER + (portsGiven % PORTS_PER_WORKER)
    portsGiven += 1
    if (await isFree(port)) return port
  }
  throw new Error(`All ${PORTS_PER_WORKER} ports of this worker are in use`)
}

/** Vitest counts its workers from 1, Playwright from 0; a process that is no worker gets 0. */
function workerNumber(): number {
  const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env
  if (VITEST_POOL_ID !== undefined) return Number(VITEST_POOL_ID)
  return TEST_PARALLEL_INDEX === undefined ? 0 : Number(TEST_PARALLEL_INDEX) + 1
}

/** Asks for all addresses, since some programs listen on all and some on the loopback address. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
