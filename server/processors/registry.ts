import { createCache, getOrLoad } from '../cache.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { ProcessorConnectionRow } from '../db/tables/processor-connections.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { Log } from '../observe/log.ts'
import type { Processor } from './port.ts'

/** The processors of a server: those built in, and those that instances have connected. */
export interface Processors {
  /** By id. Tests replace processors here. */
  readonly builtIn: Map<string, Processor>
  /**
   * Returns the processor that a row of an instance refers to, also a disabled one. Undefined when the
   * instance has none such or its secrets cannot be decrypted. Inside a transaction, `db` must be it.
   */
  get: (
    row: { processor: string; instance_id: string },
    db?: Db | Tx,
  ) => Promise<Processor | undefined>
  /**
   * Returns the processors that take new payments of an instance, in the order in which their methods
   * are offered. A processor that is built in serves only an instance that has connected none.
   */
  ofInstance: (
    instance: Pick<Instance, 'id' | 'mode'>,
    db?: Db | Tx,
  ) => Promise<readonly Processor[]>
  /** Forgets what is cached of a connection and its instance, after a change. */
  invalidate: (connection: Pick<ProcessorConnectionRow, 'id' | 'instance_id'>) => void
}

/** Makes the adapter of a connection. Throws an Error when its secrets cannot be decrypted. */
export type Connect = (connection: ProcessorConnectionRow) => Promise<Processor>

interface ProcessorSources {
  builtIn: readonly Processor[]
  connect: Connect
  /** Epoch milliseconds, real time. */
  now: () => number
  log: Pick<Log, 'error'>
}

/** For so long, another process may not see a change. */
const FRESH_MS = 10_000
const CACHED_MAX = 10_000

export function createProcessors(
  db: Db,
  { builtIn, connect, now, log }: ProcessorSources,
): Processors {
  const byName = new Map(builtIn.map((processor) => [processor.id, processor]))
  const connected = createCache<Promise<Processor>>(CACHED_MAX)
  const rows = createCache<Promise<Timed<ProcessorConnectionRow[]>>>(CACHED_MAX)

  /** An adapter lives as long as its row does not change. */
  const adapterOf = async (row: ProcessorConnectionRow) => {
    try {
      return await getOrLoad(connected, `${row.id}/${row.v}`, () => connect(row))
    } catch (error) {
      log.error({ err: error, processor: row.id }, 'a processor cannot be used')
      return undefined
    }
  }

  const rowsBy = (from: Db | Tx, column: 'id' | 'instance_id', value: string) => async () => ({
    at: now(),
    value: await from
      .selectFrom('processor_connections')
      .selectAll()
      .where(column, '=', value)
      .orderBy('created')
      .orderBy('id')
      .execute(),
  })

  async function fresh(key: string, load: () => Promise<Timed<ProcessorConnectionRow[]>>) {
    const cached = await getOrLoad(rows, key, load)
    if (Math.abs(now() - cached.at) < FRESH_MS) return cached.value
    rows.delete(key)
    return (await getOrLoad(rows, key, load)).value
  }

  return {
    builtIn: byName,
    async get({ processor: id, instance_id }, from = db) {
      const own = byName.get(id)
      if (own !== undefined || !id.startsWith('pr_')) return own
      const [row] = await fresh(id, rowsBy(from, 'id', id))
      return row?.instance_id === instance_id ? adapterOf(row) : undefined
    },
    async ofInstance({ id, mode }, from = db) {
      const used = (await fresh(id, rowsBy(from, 'instance_id', id))).filter(
        ({ status }) => status !== 'DISABLED',
      )
      if (used.length === 0) {
        return [...byName.values()].filter(({ test }) => test === (mode === 'TEST'))
      }
      const active = used.filter(({ status }) => status === 'ACTIVE')
      return (await Promise.all(active.map(adapterOf))).filter((one) => one !== undefined)
    },
    invalidate({ id, instance_id }) {
      rows.delete(id)
      rows.delete(instance_id)
    },
  }
}

interface Timed<T> {
  /** Epoch milliseconds. */
  at: number
  value: T
}
