import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { percentile } from './percentile.ts'
import { type Kind, paymentRequests, type Shot, shotOf } from './workloads.ts'

/** What came of a kind of work. */
export interface Fired {
  perSecond: number
  /** Milliseconds, over fresh connections, the first answer of each among them. */
  p50: number
  p99: number
}

export interface Load {
  connections: number
  seconds: number
}

/** wrk takes a tenth of the machine that autocannon takes, which on two cores is the server's. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined

/**
 * Sends work of one kind to a server, over connections that are opened for it. Throws when the server refused
 * anything.
 */
export async function fire(kind: Kind, origin: string, load: Load): Promise<Fired> {
  if (kind === 'payment') return firePayments(origin, load)
  const shot = await shotOf(kind, origin)
  const fired = hasWrk ? await fireWrk(origin, shot, load) : await fireShots(origin, shot, load)
  if (fired.refused > 0) throw new Error(`${fired.refused} requests to ${kind} were refused`)
  return fired
}

async function firePayments(origin: string, load: Load): Promise<Fired> {
  let refused = 0
  const requests = paymentRequests(() => (refused += 1))
  const fired = await fireAutocannon(origin, requests, load)
  if (refused > 0) throw new Error(`${refused} requests of payments were refused`)
  return { ...fired, perSecond: fired.perSecond / requests.length }
}

async function fireShots(origin: string, { paths, ...shot }: Shot, load: Load) {
  let turn = 0
  let refused = 0
  const request: autocannon.Request = {
    ...shot,
    setupRequest: (given) => ({ ...given, path: paths[(turn += 1) % paths.length] ?? '' }),
    onResponse: (status) => (refused += status === 200 ? 0 : 1),
  }
  return { ...(await fireAutocannon(origin, [request], load)), refused }
}

async function fireAutocannon(
  url: string,
  requests: autocannon.Request[],
  { connections, seconds }: Load,
): Promise<Fired> {
  const times: number[] = []
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon({ url, connections, duration: seconds, requests }, (error, all) =>
      error ? reject(error as Error) : resolve(all),
    ).on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  })
  if (result.errors > 0) throw new Error(`${result.errors} requests had no answer`)
  return {
    perSecond: result.requests.total / result.duration,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  }
}

async function fireWrk(origin: string, shot: Shot, { connections, seconds }: Load) {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-wrk-'))
  try {
    const script = join(folder, 'shot.lua')
    writeFileSync(script, luaOf(shot))
    const options = [`-t1`, `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script]
    const { stdout, stderr } = await promisify(execFile)('wrk', [...options, origin])
    // wrk goes on without a script that it cannot read.
    if (stderr !== '') throw new Error(`wrk: ${stderr}`)
    const told = /^told (.*)$/m.exec(stdout)?.[1]?.split(' ').map(Number) ?? []
    const [requests = 0, micros = 1, refused = 1, p50 = 0, p99 = 0] = told
    return { perSecond: requests / (micros / 1e6), refused, p50: p50 / 1000, p99: p99 / 1000 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The script by which wrk sends a request to each path in turn, and tells what came of it. */
function luaOf({ method, paths, headers, body }: Shot): string {
  const quoted = (text: string) => `[==[${text}]==]`
  return [
    `wrk.method = ${quoted(method)}`,
    body === undefined ? '' : `wrk.body = ${quoted(body)}`,
    ...Object.entries(headers).map(
      // Two brackets in a row would begin a string.
      ([name, value]) => `wrk.headers[ ${quoted(name)} ] = ${quoted(value)}`,
    ),
    `local paths = { ${paths.map(quoted).join(', ')} }`,
    'local turn = 0',
    'request = function()',
    '  turn = turn % #paths + 1',
    '  return wrk.format(nil, paths[turn])',
    'end',
    'done = function(summary, latency)',
    '  local e = summary.errors',
    '  local refused = e.status + e.connect + e.read + e.write + e.timeout',
    '  io.write(string.format("told %d %d %d %d %d\\n", summary.requests, summary.duration, refused,',
    '    latency:percentile(50), latency:percentile(99)))',
    'end',
    '',
  ].join('\n')
}
