import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Answered, type Asked, CLOCK_FUNCTION, type ReaderData } from './read-protocol.ts'
import { openConnection } from './sqlite-connection.ts'

/**
 * A thread that reads a SQLite file: what it is asked may take as long as it may, and holds up no
 * other request meanwhile. It ends a statement by itself, because SQLite's own interrupt cannot be
 * reached: the statements call a function for each row that they look at, which throws when the
 * time is over.
 */

class Ended extends Error {
  readonly why: 'TOO_SLOW' | 'TOO_LARGE'

  constructor(why: 'TOO_SLOW' | 'TOO_LARGE') {
    super(why)
    this.why = why
  }
}

/** Rows between two looks at the clock, which costs as much as a cheap row. */
const ROWS_PER_LOOK = 8

const { path, stop } = workerData as ReaderData
const stopped = new Int32Array(stop)
const connection = openConnection(path, { readonly: true })
let msLeft = 0
let bytesLeft = 0
let deadline = 0
let looks = 0

connection.addFunction(CLOCK_FUNCTION, (_id) => {
  looks += 1
  if (looks % ROWS_PER_LOOK === 0) expectTime()
  return 1
})

function expectTime(): void {
  if (performance.now() > deadline || Atomics.load(stopped, 0) === 1) throw new Ended('TOO_SLOW')
}

function read({ sql, parameters }: Extract<Asked, { do: 'read' }>): unknown[] {
  const began = performance.now()
  deadline = began + msLeft
  expectTime()
  try {
    const rows: unknown[] = []
    for (const row of connection.prepare(sql).iterate(...parameters)) {
      bytesLeft -= sizeOf(row as object)
      if (bytesLeft < 0) throw new Ended('TOO_LARGE')
      rows.push(row)
    }
    return rows
  } finally {
    msLeft -= performance.now() - began
  }
}

/** About how many bytes a row is in memory and in its answer. */
function sizeOf(row: object): number {
  let bytes = 0
  for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length : 8
  return bytes
}

function perform(asked: Asked): unknown[] {
  switch (asked.do) {
    case 'begin':
      msLeft = asked.ms
      bytesLeft = asked.bytes
      connection.beginReading()
      return []
    case 'read':
      return read(asked)
    case 'end':
      if (connection.inTransaction()) connection.rollback()
      return []
    case 'close':
      connection.close()
      return []
  }
}

const port = parentPort as MessagePort
port.on('message', (asked: Asked) => {
  port.postMessage(answer(asked))
  if (asked.do === 'close') port.close()
})

function answer(asked: Asked): Answered {
  const { id } = asked
  try {
    return { id, rows: perform(asked) }
  } catch (error) {
    if (error instanceof Ended) return { id, refused: error.why }
    const { message, code } = error as Error & { code?: unknown }
    return { id, failed: { message, code } }
  }
}
