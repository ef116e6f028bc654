import { Temporal } from 'temporal-polyfill'
import type { Instance } from '../db/tables/instances.ts'
import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import type { ClockMove, TestClock } from '../../shared/schemas/test-clock.ts'
import { afterCommit } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { jobSignals } from '../events/job-signals.ts'
import { ApiError, invalid, invalidState } from '../errors.ts'
import { setClockTarget } from './test-clock-store.ts'
import { lockInstance } from './store.ts'

/** How far a clock may be ahead of the real time. Test cards are valid for less. */
const AHEAD_MAX = { years: 5 }

/** Throws a 400 ApiError for a LIVE instance. */
export function serializeTestClock(deps: Pick<Deps, 'realNow'>, instance: Instance): TestClock {
  if (instance.mode !== 'TEST') throw invalidState('Only a TEST instance has a test clock')
  const offset_ms = instance.clock_offset_ms ?? 0
  return {
    now: formatInstant(deps.realNow() + offset_ms),
    target: instance.clock_target,
    offset_ms,
  }
}

/**
 * Starts to move the clock of a TEST instance forward; a job then advances it from one due time to
 * the next. Returns the clock at the start. A clock cannot move back, because its events are
 * recorded and sent.
 *
 * Throws an ApiError: 400 for a LIVE instance, a time in the past, or more than five years ahead of
 * the real time; 409 while the clock is moving.
 */
export async function moveTestClock(
  deps: Pick<Deps, 'realNow'> & { db: Tx },
  instanceId: string,
  move: ClockMove,
): Promise<TestClock> {
  const instance = await lockInstance(deps.db, instanceId)
  const clock = serializeTestClock(deps, instance)
  if (clock.target !== null) {
    throw new ApiError('CONFLICT', `The clock is still moving to ${clock.target}`)
  }
  const target = targetOf(move, clock.now)
  const member = move.now === undefined ? 'clock.advance' : 'clock.now'
  if (target <= Date.parse(clock.now)) {
    throw invalid(member, `must be after ${clock.now}, the current time of the instance`)
  }
  const last = Temporal.Instant.fromEpochMilliseconds(deps.realNow())
    .toZonedDateTimeISO('UTC')
    .add(AHEAD_MAX).epochMilliseconds
  if (target > last) {
    throw invalid(member, `must not be after ${formatInstant(last)}, five years from now`)
  }
  const clock_target = formatInstant(target)
  await setClockTarget(deps.db, { id: instanceId, clock_offset_ms: clock.offset_ms, clock_target })
  afterCommit(deps.db, emitClock)
  return { ...clock, target: clock_target }
}

const emitClock = () => void jobSignals.emit('clock')

/** Epoch milliseconds. */
function targetOf({ now, advance }: ClockMove, from: string): number {
  if (advance === undefined) return parseInstant(now as string) as number
  return Temporal.Instant.from(from).toZonedDateTimeISO('UTC').add(Temporal.Duration.from(advance))
    .epochMilliseconds
}
