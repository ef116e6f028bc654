import { commonErrors, idempotencyErrors } from '../../shared/schemas/error-bodies.ts'
import {
  advanceTestClockRequest as body,
  testClockResponse,
} from '../../shared/schemas/test-clock.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { idempotent } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { moveTestClock, serializeTestClock } from './test-clock.ts'

/** `/sandbox/clock`: the clock of a TEST instance. */

const read = {
  method: 'get',
  path: '/sandbox/clock',
  tag: 'instances',
  operation: 'get_test_clock',
  summary: 'Get the clock of a TEST instance',
  description:
    'Returns the clock of the instance. When target is null, no move is in progress and ' +
    'everything due by now is done.',
  responses: { 200: testClockResponse, ...commonErrors },
} as const satisfies Route

const move = {
  method: 'post',
  path: '/sandbox/clock',
  tag: 'instances',
  operation: 'move_test_clock',
  summary: 'Move the clock of a TEST instance forward',
  description:
    'Starts to move the clock of the instance forward, from one due time to the next. The ' +
    'clock cannot move back and is at most five years ahead of real time.',
  body,
  responses: { 200: testClockResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

export function testClockRoutes(router: Router, deps: Deps): void {
  router.on(read, (c) => c.json({ clock: serializeTestClock(deps, c.get('instance')) }))

  router.on(move, (c, { body: { clock } }) =>
    idempotent(deps, c, async (within) => ({
      clock: await moveTestClock(
        { realNow: deps.realNow, db: within.db as Tx },
        c.get('instance').id,
        clock,
      ),
    })),
  )
}
