import { readFileSync } from 'node:fs'
import type * as Product from '../../server/index.ts'
import type { Processor } from '../../server/processors/port.ts'
import { type Bug, plantBug } from './bugs.ts'
import type { Verb } from './ledger.ts'

/**
 * The server of a crash run, in a process of its own that is going to be killed: the whole product
 * as `checkstand serve` starts it. Where CRASH_LEDGER is set, the harness's ledger takes the place of
 * the sandbox. Its settings come from the environment; only those that begin with CRASH_ are the
 * harness's.
 */

const { CRASH_PRODUCT = '', CRASH_LEDGER = '', CRASH_CLOCK = '', CRASH_BUG } = process.env

// The parent process is gone, and nothing else would stop this one.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(1), 1000).unref()

// The build, where it is current, starts in half the time.
const { createCheckstand } = (await import(CRASH_PRODUCT)) as typeof Product
const aheadMs = () => Number(readFileSync(CRASH_CLOCK, 'utf8'))
const checkstand = await createCheckstand({ now: () => Date.now() + aheadMs() })
if (CRASH_LEDGER) {
  const processors = checkstand.deps.processors.builtIn
  const { id, name, test, capabilities } = processors.get('sandbox') as Processor
  processors.set('sandbox', {
    id,
    name,
    test,
    capabilities,
    pay: callLedger('pay'),
    authorize: callLedger('authorize'),
    capture: callLedger('capture'),
    refund: callLedger('refund'),
    void: callLedger('void'),
    setup: callLedger('setup'),
    query: callLedger('query'),
    cancel: callLedger('cancel'),
  })
}
if (CRASH_BUG) plantBug(CRASH_BUG as Bug, checkstand.deps)
await checkstand.start()
// As the program says it, which the harness waits for.
console.log(`Checkstand is listening at ${process.env['BASE_URL']}`)

/** Returns an operation of the processor's port that the ledger performs. */
function callLedger(verb: Verb) {
  return async <Asked, Answered>(asked: Asked): Promise<Answered> => {
    const body = JSON.stringify(asked)
    const response = await fetch(`${CRASH_LEDGER}/${verb}`, { method: 'POST', body })
    return (await response.json()) as Answered
  }
}
