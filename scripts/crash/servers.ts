import { once } from 'node:events'
import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROGRAM, type Program, startProgram } from '../../test/program.ts'

/** The processes of the product in a crash run: one on SQLite, several on PostgreSQL. */

export interface Servers {
  /** Addresses at which one listens at this moment. */
  bases: () => string[]
  count: number
  start: (at: number) => Promise<void>
  startAll: () => Promise<void>
  /** Ends one as a power cut would. */
  kill: (at: number) => Promise<void>
  killAll: () => Promise<void>
  /** Moves every server's clock ahead of the system's, now and after later starts. */
  setClock: (aheadMs: number) => void
  /** What they have written until they ended. */
  logFile: string
}

const COMMAND = [process.execPath, fileURLToPath(new URL('server.ts', import.meta.url))]

/** Prepares `count` servers; none is started yet. */
export function prepareServers(from: {
  count: number
  databaseUrl: string
  /** Settings of the processor and the mail server. */
  env: Record<string, string>
  folder: string
  bug: string | undefined
}): Servers {
  const { count, databaseUrl, folder } = from
  const logFile = join(folder, 'servers.log')
  const clock = join(folder, 'clock')
  const env = {
    PROCESSOR_TIMEOUT_MS: '2000',
    PAYER_RATE: '0',
    // Cards are declined here as often as only thieves' are.
    CARD_TESTING_GUARD: '0',
    MAIL_FROM: 'pay@checkstand.test',
    CRASH_PRODUCT: PROGRAM.replace('/main.', '/index.'),
    CRASH_CLOCK: clock,
    CRASH_BUG: from.bug ?? '',
    ...from.env,
  }
  const numbers = Array.from({ length: count }, (_, at) => at)
  const running = new Map<number, Program>()
  const servers: Servers = {
    bases: () => [...running.values()].map(({ base }) => base),
    count,
    logFile,
    async start(at) {
      running.set(at, await startProgram(databaseUrl, env, COMMAND))
    },
    async startAll() {
      for (const at of numbers) await servers.start(at)
    },
    async kill(at) {
      const program = running.get(at)
      running.delete(at)
      if (!program) return
      program.process.kill('SIGKILL')
      await once(program.process, 'close')
      appendFileSync(logFile, program.output())
    },
    async killAll() {
      for (const at of numbers) await servers.kill(at)
    },
    setClock(aheadMs) {
      // A server may read the file at any moment, and never half of it.
      writeFileSync(`${clock}.next`, String(aheadMs))
      renameSync(`${clock}.next`, clock)
    },
  }
  servers.setClock(0)
  return servers
}
