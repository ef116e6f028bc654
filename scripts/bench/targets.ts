import type { Taken } from './program.ts'
import type { Mode } from './server.ts'
import type { Kind } from './workloads.ts'

/** What the load bench is to show, as ratios within one run, so that they hold on any machine. */

export interface Figures {
  mode: Mode
  kind: Kind
  connections: number
  perSecond: number
  /** Microseconds of processor time that the server took for one, with what its jobs did meanwhile. */
  cpu: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/**
 * Prints each target with what was measured, and whether that is enough. `burstMs` is how long the last
 * one of a burst of new connections waited.
 */
export function expectTargets(figures: Figures[], taken: Taken, burstMs: number): void {
  const busy = Math.max(...figures.map(({ connections }) => connections))
  const of = (mode: Mode, kind: Kind, connections = busy) =>
    figures.find(
      (each) => each.mode === mode && each.kind === kind && each.connections === connections,
    )
  const ratio = (one?: Figures, other?: Figures) =>
    one && other ? one.perSecond / other.perSecond : undefined
  const hello = of('hello', 'livez')
  const least: [string, number | undefined, number][] = [
    ['/livez, of bare Hono', ratio(of('group', 'livez'), hello), 0.65],
    ['a create, of bare Hono', ratio(of('group', 'create'), hello), 0.15],
    ['a create, of its handler alone', ratio(of('group', 'create'), of('none', 'create')), 0.6],
    ['a create, of a commit for each', ratio(of('group', 'create'), of('single', 'create')), 4],
    [
      'the same with 1 ms more for a flush',
      ratio(of('slow group', 'create'), of('slow single', 'create')),
      10,
    ],
    ['reading a link, of bare Hono', ratio(of('group', 'read'), hello), 0.35],
    ['opening the page, of bare Hono', ratio(of('group', 'page'), hello), 0.4],
    ['opening a session, of bare Hono', ratio(of('group', 'session'), hello), 0.1],
    ['a whole payment, of bare Hono', ratio(of('group', 'payment'), hello), 0.03],
    ...(['create', 'read', 'session', 'payment'] as const).map(
      (kind): [string, number | undefined, number] => [
        `PostgreSQL, of SQLite: ${kind}`,
        ratio(of('postgres', kind), of('group', kind)),
        0.2,
      ],
    ),
    ...(['create', 'read', 'page', 'session', 'payment'] as const).map(
      (kind): [string, number | undefined, number] => [
        `a full database, of an empty one: ${kind}`,
        ratio(of('full', kind), of('group', kind)),
        0.9,
      ],
    ),
  ]
  const alone = of('group', 'create', 1)
  const single = of('single', 'create', 1)
  const most: [string, number | undefined, number][] = [
    ['a create alone, of a commit for each', ratio(single, alone), 1.15],
    ['p99 of a create at the most connections, ms', of('group', 'create')?.p99, 30],
    ['p99 of a read at the most connections, ms', of('group', 'read')?.p99, 30],
    ['p99 of opening a session at the most connections, ms', of('group', 'session')?.p99, 60],
    ['the last of 200 new connections, ms', burstMs, 500],
    ['memory under load, MB', taken.loadedMb, 220],
    ['listening, ms', taken.listening, 350],
    ['listening, of a bare start', taken.listening / taken.bare, 5],
  ]
  console.log('\ntargets')
  console.table([
    ...least.map(([name, measured, wanted]) => row(name, measured, `≥ ${wanted}`, wanted, 1)),
    ...most.map(([name, measured, wanted]) => row(name, measured, `≤ ${wanted}`, wanted, -1)),
  ])
}

function row(
  name: string,
  measured: number | undefined,
  target: string,
  wanted: number,
  direction: 1 | -1,
) {
  const met = measured !== undefined && (measured - wanted) * direction >= 0
  return {
    what: name,
    measured: measured === undefined ? 'not measured' : Number(measured.toFixed(3)),
    target,
    met: measured === undefined ? '' : met ? 'yes' : 'NO',
  }
}
