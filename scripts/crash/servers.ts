import { type ChildProcess, fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/program.ts'
import type { Bug } from './bugs.ts'
import type { Platform, Ready, SetClock } from './server.ts'
import { ADMIN, SECRET_KEYS } from './merchants.ts'

/** The processes of the product in a crash run: one on SQLite, several on PostgreSQL. */

export interface Servers {
  /** Addresses at which one listens at this moment. */
  bases: () => string[]
  /** Made by the first start. */
  platform: () => Platform
  count: number
  start: (at: number) => Promise<void>
  startAll: () => Promise<void>
  /** Ends one as a power cut would. */
  kill: (at: number) => Promise<void>
  killAll: () => Promise<void>
  /** Moves every server's clock ahead of the system's, now and after later starts. */
  setClock: (aheadMs: number) => void
  /** What they have written so far goes here. */
  logFile: string
}

interface Wanted {
  count: number
  databaseUrl: string
  ledgerUrl: string
  folder: string
  bug: Bug | undefined
}

/** Prepares as many as are wanted; none is started yet. */
export async function prepareServers(wanted: Wanted): Promise<Servers> {
  const logFile = join(wanted.folder, 'servers.log')
  const log = createWriteStream(logFile, { flags: 'a' })
  const ports = await Promise.all(Array.from({ length: wanted.count }, freePort))
  const running = new Map<number, ChildProcess>()
  let aheadMs = 0
  let platform: Platform | undefined

  return {
    bases: () => [...running.keys()].map(baseOf),
    platform: () => platform as Platform,
    count: wanted.count,
    logFile,
    start,
    async startAll() {
      for (let at = 0; at < wanted.count; at += 1) await start(at)
    },
    kill,
    async killAll() {
      for (let at = 0; at < wanted.count; at += 1) await kill(at)
    },
    setClock(ms) {
      aheadMs = ms
      for (const child of running.values()) child.send({ aheadMs } satisfies SetClock)
    },
  }

  async function start(at: number): Promise<void> {
    const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...environment(wanted, ports.at(at) as number), CRASH_AHEAD_MS: String(aheadMs) },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output = (output + String(chunk)).slice(-4_000)
        log.write(chunk)
      })
    }
    const ready = await new Promise<Ready>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Ready))
      child.once('exit', () => reject(new Error(`a server did not start:\n${output}`)))
    })
    platform ??= ready.platform
    running.set(at, child)
  }

  async function kill(at: number): Promise<void> {
    const child = running.get(at)
    running.delete(at)
    if (!child) return
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await ended
  }

  function baseOf(at: number): string {
    return `http://127.0.0.1:${ports[at]}`
  }

  function environment(from: Wanted, port: number): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      // Whichever server answers, links and returns lead to the first.
      BASE_URL: baseOf(0),
      DATABASE_URL: from.databaseUrl,
      LOG_LEVEL: 'info',
      CHECKSTAND_SECRET_KEY: SECRET_KEYS.first,
      CHECKSTAND_ADMIN_EMAIL: ADMIN.email,
      CHECKSTAND_ADMIN_PASSWORD: ADMIN.password,
      PROCESSOR_TIMEOUT_MS: '2000',
      PAYER_RATE: '0',
      PAYER_PAUSE_MS: '0',
      API_RATE: '0',
      // Cards are declined here as often as only thieves' are.
      CARD_TESTING_GUARD: '0',
      CRASH_LEDGER: from.ledgerUrl,
      CRASH_SETUP: platform ? '0' : '1',
      ...(from.bug && { CRASH_BUG: from.bug }),
    }
  }
}

/** The header of a name and its password, or of a secret key, which is a name without one. */
export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}
