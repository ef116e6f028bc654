import { z } from 'zod'
import { flatError, nestedError, repeatFailures } from '../../shared/schemas/errors.ts'
import {
  createPaymentLink,
  paymentLinkAnswer,
  paymentLinkList,
  updatePaymentLink,
} from '../../shared/schemas/payment-link.ts'
import type { LinkWithHistory } from '../db/rows.ts'
import type { Deps } from '../deps.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { readIfMatch } from '../http/if-match.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import { idempotent } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { archiveLink } from './archive.ts'
import { changeLink } from './change.ts'
import { createLink } from './create.ts'
import { paymentLinkFilters } from './filters.ts'
import { serializePaymentLink } from './serialize.ts'
import { getLinkWithHistory, listLinks, listLinksInOrder } from './queries.ts'

/** `/payment_links` (specification: Payment links). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }
const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/payment_links',
  tag: 'payment-links',
  summary: 'Create a payment link',
  description:
    'Creates a link to a hosted payment page. Its url is what the payer opens. A link is paid ' +
    'once.',
  body: createPaymentLink,
  responses: { 200: paymentLinkAnswer, ...failures, ...repeatFailures },
} as const satisfies Route

const list = {
  method: 'get',
  path: '/payment_links',
  tag: 'payment-links',
  summary: 'List payment links',
  description:
    'Lists the payment links that match the criteria, newest first unless order says otherwise. ' +
    'Archived ones are left out unless the criteria name archived.',
  query: z.object(listParameters),
  fields: Object.keys(paymentLinkFilters(0)),
  responses: {
    200: z.strictObject({ payment_links: paymentLinkList, meta: listMeta }),
    ...failures,
  },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/payment_links/:id',
  tag: 'payment-links',
  summary: 'Get a payment link',
  description:
    'Returns a payment link. account, contract, charge, transaction, payment_method and payment ' +
    'are filled once the link is paid or a payment is pending.',
  params,
  query: z.object({ expand: expandParameter }),
  responses: { 200: paymentLinkAnswer, ...failures },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/payment_links/:id',
  tag: 'payment-links',
  summary: 'Update a payment link',
  description:
    'Changes a payment link. With mode REPLACE, the default, a given options or state replaces ' +
    'the former one as a whole; with PATCH only the given members change.',
  params,
  body: updatePaymentLink,
  responses: { 200: paymentLinkAnswer, 409: nestedError, ...failures },
} as const satisfies Route

const archive = {
  method: 'delete',
  path: '/payment_links/:id',
  tag: 'payment-links',
  operation: 'archive_payment_link',
  summary: 'Archive a payment link',
  description:
    'Archives a payment link, so that it cannot be opened or paid any more, and ends its open ' +
    'sessions.',
  params,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

/** Ends the open sessions of a link, asked of those who keep them. */
export type CloseSessions = (deps: Deps, instanceId: string, linkId: string) => Promise<void>

export function paymentLinkRoutes(router: Router, deps: Deps, closeSessions: CloseSessions): void {
  router.on(create, (c, { body }) =>
    idempotent(deps, c, async (deps) => ({
      payment_link: await createLink(deps, c.get('instance'), body.payment_link),
    })),
  )

  router.on(list, async (c, { query }) => {
    const instanceId = c.get('instance').id
    const asked = parseListQuery(query, paymentLinkFilters(deps.now()))
    const expansion = { kind: 'payment_link', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'payment_links',
      asked,
      read: (turn) => listLinks(turn, instanceId, asked),
      records: async (some) => {
        const ids = some.map(({ id }) => id)
        const links = await listLinksInOrder(deps.db, instanceId, ids)
        return deps.expand(expansion, links.map(toRecord))
      },
    })
  })

  router.on(read, async (c, { params, query }) => {
    const instanceId = c.get('instance').id
    const payment_link = await readExpanded(
      deps.expand,
      { kind: 'payment_link', instanceId, expand: query.expand },
      async () => toRecord(await getLinkWithHistory(deps.db, instanceId, params.id)),
    )
    return c.json({ payment_link })
  })

  router.on(update, async (c, { params, body }) => {
    const instance = c.get('instance')
    const { mode = 'REPLACE', payment_link: change } = body
    const request = { change, mode, ifMatch: readIfMatch(c) }
    return c.json({ payment_link: await changeLink(deps, instance, params.id, request) })
  })

  router.on(archive, async (c, { params }) => {
    const instanceId = c.get('instance').id
    await archiveLink(deps, instanceId, params.id)
    await closeSessions(deps, instanceId, params.id)
    return c.body(null, 204)
  })

  function toRecord(link: LinkWithHistory): ReturnType<typeof serializePaymentLink> {
    return serializePaymentLink(link, { now: deps.now(), baseUrl: deps.config.baseUrl })
  }
}
