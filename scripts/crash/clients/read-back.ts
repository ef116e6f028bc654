import type { Call } from '../history.ts'
import type { CrashRun } from '../crash-run.ts'
import type { Random } from '../../../test/random.ts'

const NEWEST = 6
const OTHERS = 6

/** Where a record that an operation made can be read. */
const PATHS: Record<string, (id: string) => string> = {
  pay: (id) => `/payments/${id}`,
  capture: (id) => `/payments/${id}`,
  'link.create': (id) => `/payment_links/${id}`,
  'account.create': (id) => `/accounts/${id}`,
}

/**
 * Reads by the API some of what was acknowledged, the newest and a few others, as its own merchant
 * and as the other one. Returns what is missing, or is visible to the other.
 */
export async function readBack(lab: CrashRun, random: Random): Promise<string[]> {
  const created = lab.history.calls.filter(({ op, status }) => PATHS[op] && status === 200)
  const chosen = [...created.slice(-NEWEST), ...pickSome(created, random)]
  const readers = {
    first: lab.newClient('reader-first', 'first', random),
    second: lab.newClient('reader-second', 'second', random),
  }
  const looked = await Promise.all(
    chosen.map(async ({ op, shop, json }) => {
      const { id } = Object.values(json)[0] as { id: string }
      const path = PATHS[op]?.(id) ?? ''
      const own = shop === 'first' ? readers.first : readers.second
      const other = shop === 'first' ? readers.second : readers.first
      const mine = await own.send({ op: 'read', path })
      const theirs = await other.send({ op: 'read.foreign', path })
      return [
        ...(mine && mine.status !== 200
          ? [`I1 ${id} was made, and is answered ${mine.status}`]
          : []),
        ...(theirs && theirs.status !== 404 ? [`I13 ${id} is shown to another merchant`] : []),
      ]
    }),
  )
  return looked.flat()
}

function pickSome(calls: readonly Call[], random: Random): Call[] {
  return calls.length === 0 ? [] : Array.from({ length: OTHERS }, () => random.pick(calls))
}
