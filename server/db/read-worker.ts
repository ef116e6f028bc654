import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import {
  type ReadResponse,
  type ReadRequest,
  CLOCK_FUNCTION,
  type ReaderData,
} from './read-protocol.ts'
import { openConnection } from './sqlite-connection.ts'

/**
 * A thread for long reads of a SQLite file. SQLite's interrupt is not accessible here, so each
 * statement calls a function per visited row, which throws after the deadline.
 */

class ReadEnded extends Error {
  readonly reason: 'TOO_SLOW' | 'TOO_LARGE'

  constructor(reason: 'TOO_SLOW' | 'TOO_LARGE') {
    super(reason)
    this.reason = reason
  }
}

/** Reading the clock costs as much as a cheap row. */
const ROWS_PER_CHECK = 8

const { path, stop } = workerData as ReaderData
const stopped = new Int32Array(stop)
const connection = openConnection(path, { readonly: true })
let msLeft = 0
let bytesLeft = 0
let deadline = 0
let visitedRows = 0

connection.addFunction(CLOCK_FUNCTION, (_id) => {
  visitedRows += 1
  if (visitedRows % ROWS_PER_CHECK === 0) assertInTime()
  return 1
})

function assertInTime(): void {
  if (performance.now() > deadline || Atomics.load(stopped, 0) === 1)
    throw new ReadEnded('TOO_SLOW')
}

function read({ sql, parameters }: Extract<ReadRequest, { do: 'read' }>): unknown[] {
  const startedAt = performance.now()
  deadline = startedAt + msLeft
  assertInTime()
  try {
    const rows: unknown[] = []
    for (const row of connection.prepare(sql).iterate(...parameters)) {
      bytesLeft -= sizeOf(row as object)
      if (bytesLeft < 0) throw new ReadEnded('TOO_LARGE')
      rows.push(row)
    }
    return rows
  } finally {
    msLeft -= performance.now() - startedAt
  }
}

/** The approximate size in memory, in bytes. */
function sizeOf(row: object): number {
  let bytes = 0
  for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length : 8
  return bytes
}

function perform(request: ReadRequest): unknown[] {
  switch (request.do) {
    case 'begin':
      msLeft = request.ms
      bytesLeft = request.bytes
      connection.beginReading()
      return []
    case 'read':
      return read(request)
    case 'end':
      if (connection.inTransaction()) connection.rollback()
      return []
    case 'close':
      connection.close()
      return []
  }
}

const port = parentPort as MessagePort
port.on('message', (request: ReadRequest) => {
  port.postMessage(respond(request))
  if (request.do === 'close') port.close()
})

function respond(request: ReadRequest): ReadResponse {
  const { id } = request
  try {
    return { id, rows: perform(request) }
  } catch (error) {
    if (error instanceof ReadEnded) return { id, refused: error.reason }
    const { message, code } = error as Error & { code?: unknown }
    return { id, failed: { message, code } }
  }
}
