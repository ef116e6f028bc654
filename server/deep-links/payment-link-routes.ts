import { z } from 'zod'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import { paymentLink } from '../../shared/schemas/payment-link-record.ts'
import type { Deps } from '../deps.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import { listResponse } from '../http/list-response.ts'
import type { Route, Router } from '../http/router.ts'
import { paymentLinkFilters } from '../payment-links/filters.ts'
import { listLinks, listLinksInOrder } from '../payment-links/queries.ts'
import { serializePaymentLink } from '../payment-links/serialize.ts'
import { lookupDeepLink } from './store.ts'

const route = {
  method: 'get',
  path: '/deep_links/:id/payment_links',
  tag: 'deep-links',
  operation: 'list_deep_link_payment_links',
  summary: 'List the payment links of a deep link',
  description:
    'Lists the payment links that the payers of a deep link have made, newest first by default: ' +
    'one for each session with a payment attempt.',
  params: z.object({ id: z.string().meta({ description: 'Deep link id or slug.' }) }),
  query: z.object(listParameters),
  fields: Object.keys(paymentLinkFilters(0)),
  responses: {
    200: z.strictObject({
      payment_links: z
        .array(paymentLink)
        .meta({ description: 'The payment links of this page of the list.' }),
      meta: listMeta,
    }),
    ...commonErrors,
  },
} as const satisfies Route

/** Mounts the list of the payment links that a deep link's payers have made. */
export function deepLinkPaymentLinkRoutes(router: Router, deps: Deps): void {
  router.on(route, async (c, { params, query }) => {
    const { id: instanceId } = c.get('instance')
    const at = { now: deps.now(), baseUrl: deps.config.baseUrl }
    const list = parseListQuery(query, paymentLinkFilters(at.now))
    const expansion = { kind: 'payment_link', instanceId, expand: query.expand }
    const { id } = await lookupDeepLink(deps.db, instanceId, params.id)
    return listResponse(deps, c, {
      name: 'payment_links',
      pagination: list,
      read: (turn) => listLinks(turn, instanceId, list, id),
      serialize: async (rows) => {
        const ids = rows.map((row) => row.id)
        const links = await listLinksInOrder(deps.db, instanceId, ids)
        return deps.expand(
          expansion,
          links.map((link) => serializePaymentLink(link, at)),
        )
      },
    })
  })
}
