import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { Mode, Ready } from './server.ts'

/**
 * Payment links created per second: with group commit, with one commit per request, with no
 * database behind the same handlers, and a bare Hono for scale. All stand side by side in one run
 * and take turns, so that what else the machine does falls on all of them.
 */

const MODES: [Mode, string][] = [
  ['group', 'group commit (as shipped)'],
  ['single', 'one commit per request'],
  ['none', 'same handlers, no database'],
  ['hello', 'bare Hono "hello"'],
]
const CONNECTIONS = [1, 16, 64]
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
const SECONDS = Number(process.env['SECONDS'] ?? 2)

interface Measured {
  perSecond: number
  p50: number
  p99: number
  perCommit: number
}

interface Running {
  child: ChildProcess
  ready: Ready
}

const BODY = JSON.stringify({
  payment_link: {
    options: { amount: '24.00', currency: 'EUR', name: 'Two bags of coffee', alt_key: 'order-1' },
    state: { cart: 'c_1001' },
  },
})

async function start(mode: Mode): Promise<Running> {
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [mode])
  const [ready] = (await once(child, 'message')) as [Ready]
  return { child, ready }
}

async function stats({ child }: Running): Promise<{ commits: number; transactions: number }> {
  child.send('stats')
  const [answer] = (await once(child, 'message')) as [{ commits: number; transactions: number }]
  return answer
}

async function measure(running: Running, connections: number): Promise<Measured> {
  const before = await stats(running)
  const result = await autocannon({
    url: running.ready.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: running.ready.authorization },
    body: BODY,
    connections,
    duration: SECONDS,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error('the server refused the bench')
  const after = await stats(running)
  const commits = after.commits - before.commits
  return {
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    perCommit: commits === 0 ? 0 : (after.transactions - before.transactions) / commits,
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const servers = new Map<Mode, Running>()
for (const [mode] of MODES) servers.set(mode, await start(mode))

for (const connections of CONNECTIONS) {
  const rounds = new Map<Mode, Measured[]>(MODES.map(([mode]) => [mode, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [mode] of MODES) {
      rounds.get(mode)?.push(await measure(servers.get(mode) as Running, connections))
    }
  }
  const of = (mode: Mode, member: keyof Measured) =>
    median((rounds.get(mode) ?? []).map((measured) => measured[member]))
  const hello = of('hello', 'perSecond')
  console.log(`\n${connections} connection${connections === 1 ? '' : 's'}, ${ROUNDS} rounds`)
  console.table(
    Object.fromEntries(
      MODES.map(([mode, name]) => [
        name,
        {
          'creates/s': Math.round(of(mode, 'perSecond')),
          'of hello': Number((of(mode, 'perSecond') / hello).toFixed(2)),
          'p50 ms': of(mode, 'p50'),
          'p99 ms': of(mode, 'p99'),
          'per commit': Number(of(mode, 'perCommit').toFixed(1)),
        },
      ]),
    ),
  )
  const group = of('group', 'perSecond')
  console.log(
    `group commit is ${(group / of('single', 'perSecond')).toFixed(1)} times one commit per request, ` +
      `and ${(group / of('none', 'perSecond')).toFixed(2)} of the same handlers without a database`,
  )
}

for (const { child } of servers.values()) child.disconnect()
