import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../../test/postgres.ts'
import { freePort, type Program, startProgram, until } from '../../test/program.ts'
import { fire } from './fire.ts'
import { UNLIMITED } from './merchant.ts'
import { percentile } from './percentile.ts'
import type { Kind } from './workloads.ts'

/**
 * What one process does on SQLite, and several on one PostgreSQL behind haproxy, and how much of the
 * processor each part takes for a request. On a machine with fewer cores than parts it is the second
 * that says how far a larger one goes. `PROCESSES`, `ROUNDS`, `SECONDS` and `CONNECTIONS` set how much is
 * done; `DATABASE_URL` names an empty PostgreSQL to take in place of one of its own.
 */

const PROCESSES = (process.env['PROCESSES'] ?? '1,2,4').split(',').map(Number)
const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
const SECONDS = Number(process.env['SECONDS'] ?? 4)
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 64)
const GIVEN = process.env['DATABASE_URL']
const KINDS: readonly Kind[] = ['create', 'read', 'session', 'page', 'payment']

interface Stack {
  name: string
  origin: string
  /** Processes whose time is counted, by the part that they are of. */
  parts: Record<string, () => number[]>
  stop: () => Promise<void>
}

async function startOnSqlite(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
  const program = await startProgram(`file:${folder}/bench.db`, { ...UNLIMITED, LOG_LEVEL: 'warn' })
  return {
    name: 'one process, SQLite',
    origin: program.base,
    parts: { server: () => pidsOf([program.process]) },
    async stop() {
      await end(program)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startOnPostgres(count: number): Promise<Stack> {
  const own = GIVEN === undefined ? await startPostgres('power cut') : undefined
  const url = GIVEN ?? own?.adminUrl ?? ''
  const postmaster = own && (await postmasterPid(url))
  const origin = `http://127.0.0.1:${await freePort()}`
  const settings = { ...UNLIMITED, LOG_LEVEL: 'warn', BASE_URL: origin }
  const programs: Program[] = []
  for (let n = 0; n < count; n += 1) programs.push(await startProgram(url, settings))
  const balancer = await startBalancer(origin, programs)
  return {
    name: `${count} ${count === 1 ? 'process' : 'processes'}, PostgreSQL`,
    origin,
    parts: {
      server: () => pidsOf(programs.map((program) => program.process)),
      ...(postmaster && { database: () => [postmaster, ...childrenOf(postmaster)] }),
      balancer: () => pidsOf([balancer.child]),
    },
    async stop() {
      await balancer.stop()
      for (const program of programs) await end(program)
      await own?.stop()
    },
  }
}

async function startBalancer(origin: string, programs: readonly Program[]) {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const addresses = programs.map(({ base }) => new URL(base).host)
  writeFileSync(
    file,
    `global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen payers
  bind ${new URL(origin).host}
  balance leastconn
  option httpchk GET /readyz
${addresses.map((address, n) => `  server s${n} ${address} check inter 2s\n`).join('')}`,
  )
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'spawn')
  await until('haproxy', () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    child,
    async stop() {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function end(program: Program): Promise<void> {
  program.process.kill()
  await program.ended
}

async function postmasterPid(url: string): Promise<number> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ file: string }>(
    `select pg_read_file('postmaster.pid') as file`,
  )
  await client.end()
  return Number(rows[0]?.file.split('\n')[0])
}

const pidsOf = (children: readonly ChildProcess[]) => children.flatMap(({ pid }) => pid ?? [])

/** Fields of `/proc/<pid>/stat` after the name of the program, which may hold spaces. */
function statOf(pid: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has ended.
    return []
  }
}

const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(name)[1]) === parent)
    .map(Number)

/** Milliseconds of processor time so far, in the program and in the system for it. */
const cpuMs = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    const stat = statOf(pid)
    return sum + (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) * 10
  }, 0)

interface Taken {
  perSecond: number
  p50: number
  p99: number
  /** Microseconds of processor time for each, by part. */
  cpu: Record<string, number>
}

async function measure(stack: Stack, kind: Kind): Promise<Taken> {
  const read = () =>
    Object.entries(stack.parts).map(([part, pids]) => [part, cpuMs(pids())] as const)
  const before = new Map(read())
  const began = performance.now()
  const fired = await fire(kind, stack.origin, { connections: CONNECTIONS, seconds: SECONDS })
  const done = (fired.perSecond * (performance.now() - began)) / 1000
  const cpu = read().map(([part, ms]) => [part, ((ms - (before.get(part) ?? 0)) * 1000) / done])
  return { ...fired, cpu: Object.fromEntries(cpu) as Record<string, number> }
}

const middle = (taken: readonly Taken[], of: (each: Taken) => number) =>
  percentile(taken.map(of), 0.5)

console.log(`${availableParallelism()} cores, ${CONNECTIONS} connections, ${ROUNDS} rounds`)
const rows: Record<string, string | number>[] = []
const starts = [
  ...(GIVEN ? [] : [startOnSqlite]),
  ...PROCESSES.map((count) => () => startOnPostgres(count)),
]
for (const start of starts) {
  const stack = await start()
  try {
    for (const kind of KINDS) {
      // The first round is for the compiler.
      await fire(kind, stack.origin, { connections: CONNECTIONS, seconds: 2 })
      const taken: Taken[] = []
      for (let round = 0; round < ROUNDS; round += 1) taken.push(await measure(stack, kind))
      const cpu = Object.keys(stack.parts).map((part) => [
        `${part} µs`,
        Math.round(middle(taken, (each) => each.cpu[part] ?? 0)),
      ])
      rows.push({
        stack: stack.name,
        what: kind,
        'a second': Math.round(middle(taken, ({ perSecond }) => perSecond)),
        'p50 ms': Math.round(middle(taken, ({ p50 }) => p50)),
        'p99 ms': Math.round(middle(taken, ({ p99 }) => p99)),
        ...(Object.fromEntries(cpu) as Record<string, number>),
      })
    }
  } finally {
    await stack.stop()
  }
}
console.table(rows)
