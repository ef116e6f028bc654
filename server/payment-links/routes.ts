import { z } from 'zod'
import { nestedError, flatError } from '../../shared/schemas/errors.ts'
import { createPaymentLink, paymentLinkAnswer } from '../../shared/schemas/payment-link.ts'
import { updatePaymentLink } from '../../shared/schemas/payment-link.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../http/refusal.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { changeLink } from './change.ts'
import { createLink } from './create.ts'
import { expandLink, readExpand } from './expand.ts'
import { paymentLinkRecord } from './record.ts'
import { archiveLink, getLinkWithHistory } from './store.ts'
import type { LinkWithHistory } from './store.ts'

/** `/payment_links` (specification: Payment links). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }
const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/payment_links',
  tag: 'payment-links',
  summary: 'Make a payment link',
  body: createPaymentLink,
  responses: { 200: paymentLinkAnswer, ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/payment_links/:id',
  tag: 'payment-links',
  summary: 'Read a payment link',
  params,
  query: z.object({
    expand: z.string().optional().meta({
      description: 'Names to expand, separated by commas: account, contract, charge, …',
      example: 'payment,account',
    }),
  }),
  responses: { 200: paymentLinkAnswer, ...failures },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/payment_links/:id',
  tag: 'payment-links',
  summary: 'Change a payment link',
  params,
  body: updatePaymentLink,
  responses: { 200: paymentLinkAnswer, 409: nestedError, ...failures },
} as const satisfies Route

const archive = {
  method: 'delete',
  path: '/payment_links/:id',
  tag: 'payment-links',
  summary: 'Archive a payment link',
  params,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

export function paymentLinkRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) =>
    answer(c, await createLink(deps, c.get('instance'), body.payment_link)),
  )

  router.on(read, async (c, { params, query }) => {
    const names = readExpand(query.expand)
    const instance = c.get('instance')
    const record = toRecord(await getLinkWithHistory(deps.db, instance.id, params.id))
    return c.json({ payment_link: await expandLink(deps.db, instance.id, record, names) })
  })

  router.on(update, async (c, { params, body }) => {
    const instance = c.get('instance')
    const { mode = 'REPLACE', payment_link: change } = body
    await changeLink(deps, instance, params.id, { change, mode, ifMatch: readIfMatch(c) })
    return answer(c, await getLinkWithHistory(deps.db, instance.id, params.id))
  })

  router.on(archive, async (c, { params }) => {
    await archiveLink(deps.db, c.get('instance').id, params.id, formatInstant(deps.now()))
    return c.body(null, 204)
  })

  function answer(c: AppContext, link: LinkWithHistory): Response {
    return c.json({ payment_link: toRecord(link) })
  }

  function toRecord(link: LinkWithHistory): ReturnType<typeof paymentLinkRecord> {
    return paymentLinkRecord(link, { now: deps.now(), baseUrl: deps.config.baseUrl })
  }
}

/** The version in `If-Match: "3"`; undefined without the header or for `*`. */
function readIfMatch(c: AppContext): number | undefined {
  const header = c.req.header('if-match')
  if (header === undefined || header === '*') return undefined
  const version = /^"?([0-9]{1,9})"?$/.exec(header)?.[1]
  if (version === undefined) throw invalid('If-Match', 'must be the version, such as "3"')
  return Number(version)
}
