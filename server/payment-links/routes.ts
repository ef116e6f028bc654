import { z } from 'zod'
import {
  commonErrors,
  flatError,
  nestedError,
  idempotencyErrors,
} from '../../shared/schemas/error-bodies.ts'
import {
  createPaymentLinkRequest,
  updatePaymentLinkRequest,
} from '../../shared/schemas/payment-link.ts'
import { paymentLink, paymentLinkResponse } from '../../shared/schemas/payment-link-record.ts'
import type { LinkWithHistory } from '../db/tables/payment-links.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { readIfMatch } from '../http/if-match.ts'
import { idempotent } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { requireStepUpBeyond } from '../http/step-up.ts'
import { archiveLink } from './archive.ts'
import { changeLink } from './change.ts'
import { createLink } from './create.ts'
import { paymentLinkFilters } from './filters.ts'
import { serializePaymentLink } from './serialize.ts'
import { getLinkWithHistory, listLinks, listLinksInOrder } from './queries.ts'

const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/payment_links',
  tag: 'payment-links',
  summary: 'Create a payment link',
  description:
    'Creates a link to a hosted payment page. The payer opens its url. A link can be paid ' +
    'once.',
  body: createPaymentLinkRequest,
  responses: { 200: paymentLinkResponse, ...commonErrors, ...idempotencyErrors },
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
  body: updatePaymentLinkRequest,
  responses: { 200: paymentLinkResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

/** How many links a session archives within ten minutes before it proves who its user is. */
const ARCHIVED = { what: 'archived-links', max: 20 } as const

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

/** Closes the open sessions of a link. */
export type CloseSessions = (deps: Deps, instanceId: string, linkId: string) => Promise<void>

export function paymentLinkRoutes(router: Router, deps: Deps, closeSessions: CloseSessions): void {
  router.on(create, (c, { body }) =>
    idempotent(deps, c, async (deps) => ({
      payment_link: await createLink(deps, c.get('instance'), body.payment_link),
    })),
  )

  collectionRoutes(router, deps, {
    name: ['payment_link', 'payment_links'],
    schema: paymentLink,
    params,
    description: {
      list:
        'Lists the payment links that match the criteria, newest first by default. Archived ' +
        'links are omitted unless the criteria name archived.',
      get:
        'Returns a payment link. account, contract, charge, transaction, payment_method and payment ' +
        'are set once the link is paid or a payment is pending.',
    },
    filters: paymentLinkFilters,
    list: (turn, instanceId, list) => listLinks(turn, instanceId, list),
    get: async (instanceId, id) => toRecord(await getLinkWithHistory(deps.db, instanceId, id)),
    serialize: async (rows, { instance }) => {
      const ids = rows.map(({ id }) => id)
      const links = await listLinksInOrder(deps.db, instance.id, ids)
      return links.map(toRecord)
    },
  })

  router.on(update, async (c, { params, body }) => {
    const instance = c.get('instance')
    const { mode = 'REPLACE', payment_link: change } = body
    const request = { change, mode, ifMatch: readIfMatch(c) }
    return c.json({ payment_link: await changeLink(deps, instance, params.id, request) })
  })

  router.on(archive, async (c, { params }) => {
    await requireStepUpBeyond(deps, c, ARCHIVED)
    const instanceId = c.get('instance').id
    await archiveLink(deps, instanceId, params.id)
    await closeSessions(deps, instanceId, params.id)
    return c.body(null, 204)
  })

  function toRecord(link: LinkWithHistory): ReturnType<typeof serializePaymentLink> {
    return serializePaymentLink(link, { now: deps.now(), baseUrl: deps.config.baseUrl })
  }
}
