import { Worker } from 'node:worker_threads'
import { ROOT } from '../root.ts'
import type { Answered, Asked, ReaderData } from './read-protocol.ts'
import { READ_BYTES, READ_MS, ReadTooLarge, ReadTooSlow } from './reads.ts'

/** A thread that reads a SQLite file, one transaction after another. */
export interface ReadThread {
  begin(): Promise<void>
  /** The rows. Throws ReadTooSlow and ReadTooLarge; what SQLite throws comes with its code. */
  read(sql: string, parameters: readonly unknown[]): Promise<unknown[]>
  /** Never throws: a thread that cannot end its transaction is lost. */
  end(): Promise<void>
  /** It answers no more, and another is to be started in its place. */
  isLost(): boolean
  /** Ends what it is reading, and resolves when the file is closed. */
  close(): Promise<void>
}

/** How much longer than it may a statement can take that looks at no row meanwhile. */
const GRACE_MS = 3000

/** From its source, or from what is built of it. */
const FILE = import.meta.url.endsWith('.ts')
  ? new URL('./read-worker.ts', import.meta.url)
  : new URL('dist/server/read-worker.js', ROOT)

type Question = Asked extends infer One
  ? One extends { id: number }
    ? Omit<One, 'id'>
    : never
  : never

interface Waiting {
  resolve: (rows: unknown[]) => void
  reject: (error: Error) => void
}

/** Starts one on a file that exists; `program` is what it runs. */
export function openReadThread(path: string, program = FILE): ReadThread {
  const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const worker = new Worker(program, {
    workerData: { path, stop } satisfies ReaderData,
    // Those of the process are about its memory, and about how tests are run.
    execArgv: [],
    env: {},
  })
  worker.unref()
  const waiting = new Map<number, Waiting>()
  let asked = 0
  let lost: Error | undefined

  const lose = (error: Error) => {
    lost ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      lose(new Error('a reading thread has ended'))
      resolve()
    })
  })
  worker.on('error', lose)
  worker.on('message', (answered: Answered) => {
    const asker = waiting.get(answered.id)
    waiting.delete(answered.id)
    if ('rows' in answered) asker?.resolve(answered.rows)
    else asker?.reject(errorOf(answered))
  })

  const ask = (question: Question): Promise<unknown[]> => {
    if (lost) return Promise.reject(lost)
    asked += 1
    const id = asked
    return new Promise<unknown[]>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ ...question, id })
    })
  }

  return {
    async begin() {
      await ask({ do: 'begin', ms: READ_MS, bytes: READ_BYTES })
    },
    async read(sql, parameters) {
      const patience = setTimeout(() => {
        lose(new ReadTooSlow())
        // It ends when SQLite comes back to it; nobody waits for that.
        void worker.terminate()
      }, READ_MS + GRACE_MS)
      try {
        return await ask({ do: 'read', sql, parameters })
      } finally {
        clearTimeout(patience)
      }
    },
    async end() {
      if (lost) return
      // There is nothing to undo, but a thread that is still in it would begin no other.
      await ask({ do: 'end' }).catch((error: Error) => {
        lose(error)
        void worker.terminate()
      })
    },
    isLost: () => lost !== undefined,
    async close() {
      Atomics.store(new Int32Array(stop), 0, 1)
      // Now the process has to wait for it.
      worker.ref()
      if (!lost) await ask({ do: 'close' }).catch(() => {})
      await exited
    },
  }
}

function errorOf(answered: Exclude<Answered, { rows: unknown[] }>): Error {
  if ('failed' in answered) {
    const { message, code } = answered.failed
    return Object.assign(new Error(message), { code })
  }
  return answered.refused === 'TOO_SLOW' ? new ReadTooSlow() : new ReadTooLarge()
}
