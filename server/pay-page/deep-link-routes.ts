import { z } from 'zod'
import { nestedError } from '../../shared/schemas/error-bodies.ts'
import { openCheckoutResponse } from '../../shared/schemas/checkout.ts'
import { openCheckoutRequest } from '../../shared/schemas/checkout-request.ts'
import { openCheckout } from '../checkouts/open-session.ts'
import { parsePrefill } from '../deep-links/prefill.ts'
import { isPayable } from '../deep-links/payer-link.ts'
import { findDeepLink } from '../deep-links/store.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { PAYER_BODY_BYTES_MAX } from '../http/body.ts'
import type { Route, Router } from '../http/router.ts'
import { buildFirstView } from './page-model.ts'
import { pageQuery, preferences } from './page-query.ts'
import { missingStrings } from './page-strings.ts'
import { respondWithQrCode } from './qr-code.ts'
import type { PageResponder } from './respond.ts'

/** Routes of the payers of deep links. Their sessions have the routes of all others. */

const params = z.object({
  id: z.string().meta({ description: 'The id or slug of the deep link.' }),
})

const prefill = {
  amount: z.string().optional().meta({
    description: 'Amount in the form, where the payer may change it; an invalid one is ignored.',
    example: '20.00',
  }),
  reference: z.string().optional().meta({
    description: 'Reference in the form, where the payer may change it; an invalid one is ignored.',
    example: 'INV-1042',
  }),
}

const page = {
  method: 'get',
  path: '/go/:id',
  tag: 'payer',
  operation: 'open_deep_link_page',
  summary: 'Open the page of a deep link',
  description:
    'Returns the payment page of a deep link. Changes nothing, so link previews leave no trace.',
  params,
  query: z.object({ ...pageQuery, ...prefill }),
  responses: { 200: 'html', 404: 'html', 410: 'html' },
} as const satisfies Route

const open = {
  method: 'post',
  path: '/go/:id/checkouts',
  tag: 'payer',
  operation: 'open_deep_link_checkout',
  summary: 'Open a checkout session on a deep link',
  description:
    'Opens a session on a deep link and returns its token, terms and strings. Its first payment ' +
    'attempt makes a payment link.',
  params,
  query: z.object(prefill),
  body: openCheckoutRequest,
  bodyOptional: true,
  bodyBytesMax: PAYER_BODY_BYTES_MAX,
  responses: {
    200: openCheckoutResponse,
    400: nestedError,
    404: nestedError,
    410: nestedError,
    429: nestedError,
  },
} as const satisfies Route

const qr = {
  method: 'get',
  path: '/go/:id/qr.svg',
  tag: 'payer',
  operation: 'get_deep_link_qr_code',
  summary: 'Get the QR code of a deep link',
  description: 'Returns the URL of the page as a QR code.',
  params,
  responses: { 200: 'svg', 404: nestedError, 410: nestedError },
} as const satisfies Route

export function deepLinkPageRoutes(router: Router, deps: Deps, respond: PageResponder): void {
  // The link is looked up before the body is read, which costs more.
  router.app.on('POST', open.path, async (c, next) => {
    const link = await findDeepLink(deps.db, c.req.param('id'))
    if (!link || !isPayable(link)) throw notFound('Deep link')
    await next()
  })

  router.on(page, async (c, { params, query }) => {
    const address = { deepLink: params.id, prefill: parsePrefill(query) }
    const view = await buildFirstView(deps, address, {
      handle: undefined,
      branding: query.branding,
      preferences: { ...preferences(c), requested: query.lang ?? query.language },
    })
    return respond(c, view)
  })

  router.on(qr, (c, { params }) => respondWithQrCode(deps, c, { deepLink: params.id }))

  router.on(open, async (c, { params, query, body }) => {
    const request = body ?? {}
    const address = { deepLink: params.id, prefill: parsePrefill(query) }
    const opened = await openCheckout(deps, address, request, preferences(c))
    const checkout = { ...opened.checkout, strings: missingStrings(opened.bundle, request) }
    return c.json({ token: opened.token, checkout })
  })
}
