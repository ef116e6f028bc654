import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { callDeadline, callProcessor, queryProcessor } from '../payments/call-processor.ts'
import { settleSetup } from './settle.ts'
import { leaseSetup, listDueSetups } from './store.ts'

const BATCH = 50
/** How long a payer may take on their bank's page before the set-up is canceled, at most. */
const CHALLENGE_MAX_MS = 15 * 60_000

/**
 * Queries the processors of due set-ups: those without a response, and payers who did not return from
 * their bank. With `moved`, only those of the instance whose test clock was moved. Returns their number.
 */
export async function syncDueSetups(deps: Deps, moved?: string): Promise<number> {
  const now = deps.now()
  const due = await listDueSetups(deps.db, formatInstant(now), BATCH, moved)
  const until = formatInstant(callDeadline(deps, now))
  await Promise.all(due.map((setup) => syncLeased(deps, setup, until)))
  return due.length
}

/** One that fails is tried again when its lease ends, and does not block the others. */
async function syncLeased(deps: Deps, setup: MethodSetupRow, until: string): Promise<void> {
  try {
    if (await leaseSetup(deps.db, setup, until)) await syncSetup(deps, setup)
  } catch (error) {
    deps.log.error({ err: error, operation: setup.id }, 'set-up was not settled')
  }
}

/** Queries the processor for one set-up and records the response. */
export async function syncSetup(deps: Deps, setup: MethodSetupRow): Promise<void> {
  if (setup.state === 'DONE') return
  const processor = await deps.processors.get(setup)
  if (!processor) {
    deps.log.error({ operation: setup.id, processor: setup.processor }, 'processor is missing')
    return
  }
  const { id } = setup
  const cancel = () => callProcessor(deps, id, () => processor.cancel(id))
  const isLeft = setup.state === 'ACTION' && deps.now() > challengeEnd(setup)
  const response = isLeft
    ? await cancel()
    : await queryProcessor(deps, id, () => processor.query(id))
  // The call may still be on its way, so the set-up has failed only once the processor refuses it.
  const known = response.status === 'NOT_FOUND' ? await cancel() : response
  // What cannot be ended leaves the payment link to others. Other set-ups block nothing.
  const setAside = isLeft && known.status === 'ACTION' && setup.payment_link_id !== null
  await settleSetup(deps, id, known, { setAside })
}

/** Epoch milliseconds. */
function challengeEnd({ created, action_expires }: MethodSetupRow): number {
  const latest = Date.parse(created) + CHALLENGE_MAX_MS
  return action_expires === null ? latest : Math.min(latest, Date.parse(action_expires))
}
