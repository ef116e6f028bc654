import { Worker } from 'node:worker_threads'
import { READ_PROGRAM } from './read-program.ts'
import type { ReadResponse, ReadRequest, ReaderData } from './read-protocol.ts'
import { READ_BYTES, READ_MS, ReadTooLarge, ReadTooSlow } from './reads.ts'

export interface ReadThread {
  begin(): Promise<void>
  /** Throws ReadTooSlow, ReadTooLarge, and SQLite's errors with their code. */
  read(sql: string, parameters: readonly unknown[]): Promise<unknown[]>
  /** Never throws; a thread that cannot end its transaction is lost. */
  end(): Promise<void>
  /** The thread does not respond any more and must be replaced. */
  isLost(): boolean
  /** Ends the current read and resolves when the file is closed. */
  close(): Promise<void>
}

/** Extra time for a statement that does not check its deadline, because it visits no row. */
const GRACE_MS = 3000

type UnnumberedRequest = ReadRequest extends infer Request
  ? Request extends { id: number }
    ? Omit<Request, 'id'>
    : never
  : never

interface PendingRequest {
  resolve: (rows: unknown[]) => void
  reject: (error: Error) => void
}

/** Starts a thread on an existing file; `program` is its script, `readMs` the limit of a transaction. */
export function openReadThread(
  path: string,
  { program = READ_PROGRAM, readMs = READ_MS }: { program?: URL; readMs?: number | undefined } = {},
): ReadThread {
  const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const worker = new Worker(program, {
    workerData: { path, stop } satisfies ReaderData,
    // Do not inherit the options of the process.
    execArgv: [],
    env: {},
  })
  worker.unref()
  const requests = new Map<number, PendingRequest>()
  let lastId = 0
  let lost: Error | undefined

  const lose = (error: Error) => {
    lost ??= error
    for (const { reject } of requests.values()) reject(error)
    requests.clear()
  }
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      lose(new Error('a reading thread has exited'))
      resolve()
    })
  })
  worker.on('error', lose)
  worker.on('message', (response: ReadResponse) => {
    const pending = requests.get(response.id)
    requests.delete(response.id)
    if ('rows' in response) pending?.resolve(response.rows)
    else pending?.reject(errorOf(response))
  })

  const send = (request: UnnumberedRequest): Promise<unknown[]> => {
    if (lost) return Promise.reject(lost)
    lastId += 1
    const id = lastId
    return new Promise<unknown[]>((resolve, reject) => {
      requests.set(id, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ ...request, id })
    })
  }

  return {
    async begin() {
      await send({ do: 'begin', ms: readMs, bytes: READ_BYTES })
    },
    async read(sql, parameters) {
      const timer = setTimeout(() => {
        lose(new ReadTooSlow())
        // It ends when SQLite returns to it.
        void worker.terminate()
      }, readMs + GRACE_MS)
      try {
        return await send({ do: 'read', sql, parameters })
      } finally {
        clearTimeout(timer)
      }
    },
    async end() {
      if (lost) return
      // A thread that is still in a transaction cannot begin another.
      await send({ do: 'end' }).catch((error: Error) => {
        lose(error)
        void worker.terminate()
      })
    },
    isLost: () => lost !== undefined,
    async close() {
      Atomics.store(new Int32Array(stop), 0, 1)
      // Keep the process alive until the thread has ended.
      worker.ref()
      if (!lost) await send({ do: 'close' }).catch(() => {})
      await exited
    },
  }
}

function errorOf(response: Exclude<ReadResponse, { rows: unknown[] }>): Error {
  if ('failed' in response) {
    const { message, code } = response.failed
    return Object.assign(new Error(message), { code })
  }
  return response.refused === 'TOO_SLOW' ? new ReadTooSlow() : new ReadTooLarge()
}
