import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SERVE, until } from '../../test/program.ts'
import { newFolder, startTestServer, type TestServer } from './test-server.ts'

/**
 * Every answer that says "done" comes after a flush of the log, seen from outside: what the process
 * asked of the system, in the order in which it did. A test that kills the process cannot show
 * this, because the system keeps what a killed process has written.
 */

const ANSWERS = 30

/** Runs a shop under strace, and answers what its main thread did while `use` ran. */
async function traced(path: string, use: (shop: TestServer) => Promise<void>): Promise<string[]> {
  const log = join(await newFolder(), 'trace')
  // -D: the program stays our child, so that ending it ends it.
  const strace = `strace -D -f -y -s 60 -e trace=pwrite64,fsync,fdatasync,write,writev -o ${log}`
  const shop = await startTestServer(path, {}, [...strace.split(' '), ...SERVE])
  await use(shop)
  shop.program.process.kill('SIGKILL')
  await shop.program.ended
  // Numbers of processes are filled up with blanks.
  const thread = new RegExp(`^${shop.program.process.pid} +`)
  const own = (text: string) =>
    text
      .split('\n')
      .filter((line) => thread.test(line))
      .map((line) => line.replace(thread, ''))
  // strace ends after what it watches, and only then has it written everything.
  return until('the trace to be written', async () => {
    const calls = own(await readFile(log, 'utf8'))
    return calls.some((call) => call.startsWith('+++ killed')) ? calls : undefined
  })
}

interface Seen {
  answers: number
  /** Responses sent while the log had writes that were not flushed. */
  early: number
  /** Responses without a flush since the previous one. */
  idle: number
}

function ordersOf(calls: string[]): Seen {
  const seen: Seen = { answers: 0, early: 0, idle: 0 }
  let written = false
  let flushing = false
  let flushes = 0
  for (const call of calls) {
    if (/^pwrite64\(\d+<[^>]*-wal>/.test(call)) written = true
    if (/^f(data)?sync\(\d+<[^>]*-wal>/.test(call)) flushing = true
    // Other threads' calls can stand between the beginning and the end of one.
    if (flushing && /sync(\(| resumed>).*\) += 0$/.test(call)) {
      flushing = false
      written = false
      flushes += 1
    }
    if (!/^writev?\(.*HTTP\/1\.1 200/.test(call)) continue
    seen.answers += 1
    if (written) seen.early += 1
    if (flushes === 0) seen.idle += 1
    flushes = 0
  }
  return seen
}

describe('every answer to a write', () => {
  it.each(['a new file', 'a file that is opened again'])(
    'comes after its flush, on %s',
    async (which) => {
      const path = join(await newFolder(), 'shop.db')
      if (which !== 'a new file') {
        // Killed, so that its log is there when the next one opens it.
        const before = await startTestServer(path)
        await before.newLink()
        before.program.process.kill('SIGKILL')
        await before.program.ended
      }
      const calls = await traced(path, async (shop) => {
        for (let n = 0; n < ANSWERS; n += 1) expect((await shop.newLink()).status).toBe(200)
      })
      const own = calls.slice(calls.findLastIndex((call) => call.includes('readyz')) + 1)
      const seen = ordersOf(own)
      expect(seen.answers).toBeGreaterThanOrEqual(ANSWERS)
      expect(seen.early).toBe(0)
      // The answer to the first look at readiness may be among them.
      expect(seen.idle).toBeLessThanOrEqual(1)
    },
  )

  it('comes after its flush when many share one', async () => {
    const path = join(await newFolder(), 'shop.db')
    const calls = await traced(path, async (shop) => {
      const payments = Array.from({ length: 20 }, (_, n) => shop.pay(`crowd-${n}`))
      await Promise.all([...payments, ...Array.from({ length: 200 }, () => shop.newLink())])
    })
    const seen = ordersOf(calls)
    expect(seen.answers).toBeGreaterThanOrEqual(240)
    expect(seen.early).toBe(0)
    expect(seen.idle).toBeGreaterThan(0)
  })
})
