import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../../test/postgres.ts'
import { measureBurst } from './burst.ts'
import { fire, hasWrk } from './fire.ts'
import { fillDatabase } from './seed-database.ts'
import { expectTargets, type Figures } from './targets.ts'
import { percentile } from './percentile.ts'
import { measureProgram } from './program.ts'
import type { Mode, Ready, Stats } from './server.ts'
import type { Kind } from './workloads.ts'

/**
 * What the server does in a second, beside what stands still: a bare Hono, its own handlers without
 * a database, one commit for each request, a disk that takes a millisecond more for every flush
 * (where strace is installed), PostgreSQL, and a database that is full already. All of them stand
 * side by side and take turns, so that what else the machine does falls on all of them; the figures
 * to look at are the ratios, and on a busy machine the processor time of a request. `ROUNDS`,
 * `SECONDS`, `CONNECTIONS` and `LINKS` set how much is done; LINKS=0 leaves the full database out.
 * Requests come from wrk where it is installed, else from autocannon.
 */

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
const SECONDS = Number(process.env['SECONDS'] ?? 1)
const CONNECTIONS = (process.env['CONNECTIONS'] ?? '1,16,64').split(',').map(Number)
/** Of each kind of work, before anything is measured: V8 compiles what is hot within the first seconds. */
const WARM_UP = { connections: 16, seconds: 4 }
/** After PostgreSQL's turn. */
const REST_MS = 1000
const LINKS = Number(process.env['LINKS'] ?? 10_000_000)

const NAMES: Record<Mode, string> = {
  hello: 'bare Hono "hello"',
  none: 'handlers without a database',
  group: 'SQLite (as shipped)',
  single: 'SQLite, a commit for each request',
  'slow group': 'SQLite (as shipped), slow disk',
  'slow single': 'SQLite, a commit for each, slow disk',
  postgres: 'PostgreSQL',
  full: `SQLite with ${LINKS.toLocaleString('en')} links`,
}

/** A millisecond more for every flush. */
const SLOW_DISK =
  'strace -f -qq --seccomp-bpf -o /dev/null -e trace=fsync,fdatasync ' +
  '-e inject=fsync,fdatasync:delay_exit=1000'
const hasStrace = spawnSync('strace', ['-V']).status === 0

const KINDS: readonly Kind[] = ['livez', 'create', 'read', 'page', 'session', 'payment']

/** What each server is asked for; the others would tell nothing. */
const ASKED: Record<Mode, readonly Kind[]> = {
  hello: ['livez'],
  none: ['create'],
  single: ['create'],
  'slow group': ['create'],
  'slow single': ['create'],
  group: KINDS,
  postgres: ['create', 'read', 'session', 'payment'],
  full: ['create', 'read', 'page', 'session', 'payment'],
}

/** What is compared follows one another. PostgreSQL is last, because its own jobs go on for a while. */
const TURNS: readonly [Mode, Kind][] = [
  ...turnsOf(['hello', 'none', 'single', 'slow single', 'slow group', 'group', 'full']),
  ...turnsOf(['postgres']),
]

function turnsOf(modes: readonly Mode[]): [Mode, Kind][] {
  return KINDS.flatMap((kind) =>
    modes.filter((mode) => ASKED[mode].includes(kind)).map((mode): [Mode, Kind] => [mode, kind]),
  )
}

interface Running {
  child: ChildProcess
  ready: Ready
}

async function start(mode: Mode, databaseUrl?: string): Promise<Running> {
  const [slowly = process.execPath, ...words] = mode.startsWith('slow') ? SLOW_DISK.split(' ') : []
  const child = fork(
    fileURLToPath(new URL('server.ts', import.meta.url)),
    databaseUrl === undefined ? [mode] : [mode, databaseUrl],
    slowly === process.execPath
      ? {}
      : { execPath: slowly, execArgv: [...words, process.execPath, ...process.execArgv] },
  )
  const [ready] = (await once(child, 'message')) as [Ready]
  return { child, ready }
}

async function stats({ child }: Running): Promise<Stats> {
  child.send('stats')
  const [answer] = (await once(child, 'message')) as [Stats]
  return answer
}

const postgres = await startPostgres('power cut')
const servers = new Map<Mode, Running>()
try {
  const alone: Mode[] = ['hello', 'none', 'single', 'group']
  if (hasStrace) alone.push('slow single', 'slow group')
  for (const mode of alone) servers.set(mode, await start(mode))
  if (LINKS > 0) servers.set('full', await start('full', await fillDatabase(LINKS)))
  servers.set('postgres', await start('postgres', postgres.adminUrl))

  for (const [mode, kind] of TURNS) {
    const origin = servers.get(mode)?.ready.origin
    if (origin) await fire(kind, origin, WARM_UP)
  }
  const figures: Figures[] = []
  for (const connections of CONNECTIONS) {
    const taken = new Map<string, Figures[]>()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [mode, kind] of TURNS) {
        const running = servers.get(mode)
        if (running) {
          const before = await stats(running)
          const measured = await fire(kind, running.ready.origin, { connections, seconds: SECONDS })
          const cpu = ((await stats(running)).cpu - before.cpu) / (measured.perSecond * SECONDS)
          const key = `${mode} ${kind}`
          taken.set(key, [...(taken.get(key) ?? []), { mode, kind, connections, cpu, ...measured }])
        }
      }
      await setTimeout(REST_MS)
    }
    const rows = [...taken.values()].flatMap(([first, ...rest]) =>
      first ? [middle(first, rest)] : [],
    )
    figures.push(...rows)
    print(connections, rows)
  }
  const { transactions, commits } = await stats(servers.get('group') as Running)
  console.log(`\n${(transactions / commits).toFixed(1)} transactions in a commit`)
  const bursts = []
  for (const mode of ['group', 'postgres'] as const) {
    const { origin } = (servers.get(mode) as Running).ready
    for (let round = 0; round < 3; round += 1) {
      bursts.push({ server: NAMES[mode], ...(await measureBurst(origin)) })
    }
  }
  console.log('\n200 new connections while 64 others create links, milliseconds')
  console.table(bursts)
  const taken = await measureProgram(Math.max(...CONNECTIONS))
  console.log(
    `the program: listening after ${taken.listening} ms (a bare Node ends after ${taken.bare}), ` +
      `${taken.restMb} MB at rest, ${taken.loadedMb} MB after the load`,
  )
  expectTargets(figures, taken, Math.max(...bursts.map(({ last }) => last)))
} finally {
  for (const { child } of servers.values()) child.disconnect()
  await postgres.stop()
}

/** The medians of what was measured of the same thing in all rounds. */
function middle(first: Figures, rest: Figures[]): Figures {
  const of = (member: 'perSecond' | 'cpu' | 'p50' | 'p99') =>
    percentile(
      [first, ...rest].map((each) => each[member]),
      0.5,
    )
  return { ...first, perSecond: of('perSecond'), cpu: of('cpu'), p50: of('p50'), p99: of('p99') }
}

function print(connections: number, rows: Figures[]): void {
  const hello = rows.find(({ mode }) => mode === 'hello')?.perSecond ?? 1
  const by = hasWrk ? 'wrk' : 'autocannon'
  console.log(`\n${connections} connection${connections === 1 ? '' : 's'}, ${ROUNDS} rounds, ${by}`)
  console.table(
    rows.map(({ mode, kind, perSecond, cpu, p50, p99 }) => ({
      server: NAMES[mode],
      what: kind,
      'a second': Math.round(perSecond),
      'of hello': Number((perSecond / hello).toFixed(3)),
      'processor µs': Math.round(cpu),
      'p50 ms': Number(p50.toFixed(1)),
      'p99 ms': Number(p99.toFixed(1)),
    })),
  )
}
