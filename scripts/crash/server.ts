import { readFileSync } from 'node:fs'
import { createCheckstand } from '../../server/index.ts'
import type { Processor } from '../../server/processors/port.ts'
import { type Bug, plantBug } from './bugs.ts'
import { VERBS } from './ledger.ts'

/**
 * The server of a crash run, in a process of its own that is going to be killed: the whole product
 * as `checkstand serve` starts it, with the harness's ledger as its processor. Its settings come
 * from the environment; only those that begin with CRASH_ are the harness's.
 */

const { CRASH_LEDGER = '', CRASH_CLOCK = '', CRASH_BUG } = process.env

// The parent process is gone, and nothing else would stop this one.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(1), 1000).unref()

const aheadMs = () => Number(readFileSync(CRASH_CLOCK, 'utf8'))
const checkstand = await createCheckstand({ now: () => Date.now() + aheadMs() })
const processors = checkstand.deps.processors as Map<string, Processor>
const sandbox = processors.get('sandbox') as Processor
processors.set('sandbox', { ...sandbox, ...Object.fromEntries(VERBS.map(callLedger)) })
if (CRASH_BUG) plantBug(CRASH_BUG as Bug, checkstand.deps)
await checkstand.start()

/** The processor's port over HTTP, and nothing else. */
function callLedger(verb: string) {
  const call = async (asked: unknown) => {
    const body = JSON.stringify(asked)
    const response = await fetch(`${CRASH_LEDGER}/${verb}`, { method: 'POST', body })
    return response.json()
  }
  return [verb, call] as const
}
