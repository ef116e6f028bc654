import { z } from 'zod'
import { commonErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import { sessionPageResponse } from '../../shared/schemas/session-page.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import type { Route, Router } from '../http/router.ts'
import { readSessionPage } from './session-page.ts'

/** `/checkouts/{id}/page`: what a payer saw. */

const read = {
  method: 'get',
  path: '/checkouts/:id/page',
  tag: 'checkouts',
  operation: 'get_checkout_page',
  summary: 'Get the page of a checkout session',
  description:
    'Returns the page as the payer of the session saw it: in the wording that was frozen when it was ' +
    'opened, with the states that it passed. The look and the methods are those of today. The wording ' +
    'is kept as long as its session: `WORDING_KEEP_DAYS` after the end of one that paid, and ' +
    '`CHECKOUT_RETENTION_DAYS` after the end of others.',
  params: z.object({ id: z.string() }),
  responses: { 200: sessionPageResponse, 410: nestedError, ...commonErrors },
} as const satisfies Route

export function sessionPageRoutes(router: Router, deps: Deps): void {
  router.on(read, async (c, { params: { id } }) => {
    const instance = c.get('instance')
    const page = await withClockOf(instance, () => readSessionPage(deps, instance.id, id))
    return c.json({ page })
  })
}
