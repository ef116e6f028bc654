import { copyFileSync, existsSync } from 'node:fs'
import { readConfig } from '../../server/config.ts'
import { type Checkstand, createCheckstand } from '../../server/index.ts'
import { createLog } from '../../server/observe/log.ts'
import { expediteOrphans } from '../../server/payments/reconcile-queue.ts'
import { BASE, createCaller, type TestApp } from '../app.ts'
import { NetworkError } from './network.ts'
import type { SimulatedProcessor } from './processor.ts'

/** The product on a SQLite file. It can lose power at any moment and restart from the file. */
export interface TestServer {
  checkstand: Checkstand
  call: TestApp['call']
  /** Returns all logged lines. */
  logged: () => string
  /**
   * Simulates a power cut: later responses are dropped. Copies what the disk holds to `path`, to
   * restart from.
   */
  crash: (path: string) => void
  /** Closes it after a crash or at the end. */
  close: () => Promise<void>
}

export async function openTestServer(
  path: string,
  { processor, now }: { processor: SimulatedProcessor; now: () => number },
): Promise<TestServer> {
  const lines: string[] = []
  let powered = true
  const checkstand = await createCheckstand({
    config: readConfig({
      BASE_URL: BASE,
      DATABASE_URL: `file:${path}`,
      PAYER_PAUSE_MS: '0',
      API_RATE: '0',
      ...(await processor.settings()),
    }),
    now,
    log: createLog('warn', { write: (line: string) => lines.push(line) }),
  })
  processor.attach(checkstand, () => powered)
  await expediteOrphans(checkstand.deps.db, now())
  const send = createCaller(checkstand)
  return {
    checkstand,
    async call(...request) {
      if (!powered) throw new NetworkError()
      const response = await send(...request)
      if (!powered) throw new NetworkError()
      return response
    },
    logged: () => lines.join(''),
    crash(target) {
      powered = false
      processor.cut()
      // Copied synchronously, so that both files are of one moment.
      for (const end of ['', '-wal']) {
        if (existsSync(path + end)) copyFileSync(path + end, target + end)
      }
    },
    close: () => checkstand.close(),
  }
}
