import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import about from '../../package.json' with { type: 'json' }
import { freePort, PROGRAM_KEY } from '../../test/program.ts'
import { fire } from './fire.ts'
import { UNLIMITED } from './merchant.ts'
import { percentile } from './percentile.ts'

/** What the program takes as its operators run it: time until it listens, and memory. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What `npm start` runs, without the demo. It replaces the shell, so it has the shell's process id. */
const STARTED = about.scripts.start.replace(/demo$/, 'serve')
const STARTS = 7
/** Seconds of each kind of work, while the memory is watched. */
const LOADED = 3

export interface Taken {
  /** Milliseconds until the server logs that it listens, and until a bare Node exits. */
  listening: number
  bare: number
  /** Megabytes that are resident before and after every kind of work at so many connections. */
  restMb: number
  loadedMb: number
}

/** Starts the program again and again, and lets the last one work. Times are medians. */
export async function measureProgram(connections: number): Promise<Taken> {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
  const origin = `http://127.0.0.1:${await freePort()}`
  const env = {
    ...process.env,
    DATABASE_URL: `file:${folder}/program.db`,
    PORT: new URL(origin).port,
    BASE_URL: origin,
    LOG_LEVEL: 'silent',
    CHECKSTAND_SECRET_KEY: PROGRAM_KEY,
    ...UNLIMITED,
  }
  const listening: number[] = []
  const bare: number[] = []
  try {
    // The first one migrates the database.
    for (let round = 0; round <= STARTS; round += 1) {
      const began = performance.now()
      const server = await start(env)
      listening.push(performance.now() - began)
      await stop(server)
      const then = performance.now()
      await once(spawn(process.execPath, ['--eval', '0']), 'exit')
      bare.push(performance.now() - then)
    }
    const server = await start(env)
    // The server warms itself up before it is ready; the load on top of that is what no operator sees.
    while (!(await fetch(`${origin}/readyz`)).ok) await setTimeout(50)
    const restMb = residentMb(server)
    await work(origin, connections)
    const loadedMb = residentMb(server)
    await stop(server)
    return {
      listening: Math.round(percentile(listening.slice(1), 0.5)),
      bare: Math.round(percentile(bare, 0.5)),
      restMb,
      loadedMb,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const server = spawn('sh', ['-c', STARTED], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  return server
}

async function stop(server: ChildProcess): Promise<void> {
  server.kill()
  await once(server, 'exit')
}

async function work(origin: string, connections: number): Promise<void> {
  for (const kind of ['create', 'read', 'page', 'session', 'payment'] as const) {
    await fire(kind, origin, { connections, seconds: LOADED })
  }
}

function residentMb({ pid }: ChildProcess): number {
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}
