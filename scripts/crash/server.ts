import { createCheckstand } from '../../server/index.ts'
import { createInstance } from '../../server/admin/create-instance.ts'
import { ensureFirstInstance } from '../../server/admin/first-instance.ts'
import { createClient } from '../../server/oauth/clients.ts'
import type { Processor } from '../../server/processors/port.ts'
import { type Bug, plantBug } from './bugs.ts'
import { ledgerProcessor } from './processor.ts'
import { REDIRECT, SECRET_KEYS } from './merchants.ts'

/**
 * The server of a crash run, in a process of its own that is going to be killed: the whole product
 * as `checkstand serve` starts it, with the harness's ledger as its processor. Its settings come
 * from the environment; only those that begin with CRASH_ are the harness's.
 */

/** Made once, before anything else happens. */
export interface Platform {
  clientId: string
  clientSecret: string
}

/** The server's message to the harness once it listens. */
export interface Ready {
  platform: Platform | undefined
}

/** The harness's message to the server: how many milliseconds its clock is ahead of the system's. */
export interface SetClock {
  aheadMs: number
}

let { aheadMs } = { aheadMs: Number(process.env['CRASH_AHEAD_MS'] ?? 0) }
process.on('message', (message: SetClock) => (aheadMs = message.aheadMs))
// The parent process is gone, and nothing else would stop this one.
process.on('disconnect', () => process.exit(1))

const checkstand = await createCheckstand({ now: () => Date.now() + aheadMs })
const { deps } = checkstand
const processors = deps.processors.builtIn
const sandbox = processors.get('sandbox') as Processor
processors.set('sandbox', ledgerProcessor(process.env['CRASH_LEDGER'] ?? '', sandbox))
const bug = process.env['CRASH_BUG'] as Bug | undefined
if (bug) plantBug(bug, deps)

const platform = process.env['CRASH_SETUP'] === '1' ? await setUp() : undefined
await checkstand.start()
process.send?.({ platform } satisfies Ready)

/** Two merchants on one server, and a platform that acts for the first of them. */
async function setUp(): Promise<Platform> {
  await ensureFirstInstance(deps, 'First')
  await createInstance(deps, {
    merchant: 'Second',
    key: 'default',
    name: 'Second',
    secretKey: SECRET_KEYS.second,
  })
  const created = await createClient(deps, { name: 'Ledgerly', redirectUrls: [REDIRECT] })
  return { clientId: created.clientId, clientSecret: created.clientSecret ?? '' }
}
