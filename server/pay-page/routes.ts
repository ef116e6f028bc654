import { z } from 'zod'
import { DEEP_LINK_ID } from '../../shared/rules/ids.ts'
import { flatError, nestedError } from '../../shared/schemas/error-bodies.ts'
import {
  currentCheckoutResponse,
  openCheckoutResponse,
  submitResponse,
} from '../../shared/schemas/checkout.ts'
import {
  currentCheckoutQuery,
  openCheckoutRequest,
  submitRequest,
} from '../../shared/schemas/checkout-request.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { PAYER_BODY_BYTES_MAX } from '../http/body.ts'
import type { Route, Router } from '../http/router.ts'
import { findLink } from '../payment-links/store.ts'
import { notFound } from '../errors.ts'
import { refreshCharges } from '../checkouts/charges.ts'
import { openCheckout } from '../checkouts/open-session.ts'
import { type CheckoutSession, resumeCheckout } from '../checkouts/session.ts'
import type { PageRenderer } from './document.ts'
import { recordReportedMilestones } from '../checkouts/milestones.ts'
import { deepLinkPageRoutes } from './deep-link-routes.ts'
import { buildFirstView, unknownLinkView } from './page-model.ts'
import { pageQuery, preferences } from './page-query.ts'
import { missingStrings } from './page-strings.ts'
import { submitCheckout } from '../checkouts/submit.ts'
import { respondWithQrCode } from './qr-code.ts'
import { createPageResponder, isFramed } from './respond.ts'
import { removeSessionMethod } from '../checkouts/remove-method.ts'
import { resolveReturnTarget, resolveSetupReturn } from './return.ts'
import { buildCheckoutView } from '../checkouts/view.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The payer's session; set from its token, on the session's own routes only. */
    checkout: CheckoutSession
  }
}

/** Routes of the payer: the page, the session, the submit and the return. */

const linkParams = z.object({
  id: z.string().meta({ description: 'The id of the payment link.' }),
})

const page = {
  method: 'get',
  path: '/pay/:id',
  tag: 'payer',
  operation: 'open_payment_page',
  summary: 'Open the payment page',
  description:
    'Returns the payment page of a link, or with ck the page of the session to which a ' +
    'bank returns the payer. The id of a deep link leads to the page of that.',
  params: linkParams,
  query: z.object({
    ck: z.string().optional().meta({
      description: 'Handle of the session to which a bank returns the payer.',
    }),
    ...pageQuery,
  }),
  responses: { 200: 'html', 303: null, 404: 'html', 410: 'html' },
} as const satisfies Route

const open = {
  method: 'post',
  path: '/pay/:id/checkouts',
  tag: 'payer',
  operation: 'open_checkout',
  summary: 'Open a checkout session',
  description: 'Opens a session on a payment link and returns its token, terms and strings.',
  params: linkParams,
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

const current = {
  method: 'get',
  path: '/pay/checkouts/current',
  tag: 'payer',
  operation: 'get_current_checkout',
  summary: 'Get the current checkout session',
  description:
    'Returns the session of the token as it is now, with the result of the last payment.',
  query: currentCheckoutQuery,
  responses: { 200: currentCheckoutResponse, 400: nestedError, 401: flatError },
} as const satisfies Route

const submit = {
  method: 'post',
  path: '/pay/checkouts/current/submit',
  tag: 'payer',
  operation: 'submit_checkout',
  summary: 'Submit a payment',
  description:
    'Pays with a stored payment method or a new one. The same attempt_key never pays ' +
    'twice. The outcome determines the next step of the page.',
  body: submitRequest,
  bodyBytesMax: PAYER_BODY_BYTES_MAX,
  responses: { 200: submitResponse, 400: nestedError, 401: flatError, 429: nestedError },
  answerHeaders: { 429: ['Checkstand-Work'] },
} as const satisfies Route

const removeMethod = {
  method: 'delete',
  path: '/pay/checkouts/current/payment_methods/:id',
  tag: 'payer',
  operation: 'remove_checkout_payment_method',
  summary: 'Remove a payment method saved in the session',
  description:
    'Removes a payment method that was saved in this session. Other saved methods can be ' +
    'removed only by the merchant.',
  params: z.object({ id: z.string() }),
  responses: { 204: null, 400: nestedError, 401: flatError, 404: nestedError },
} as const satisfies Route

const qr = {
  method: 'get',
  path: '/pay/:id/qr.svg',
  tag: 'payer',
  operation: 'get_payment_link_qr_code',
  summary: 'Get the QR code of a payment link',
  description: 'Returns the URL of the payment page as a QR code.',
  params: linkParams,
  responses: { 200: 'svg', 404: nestedError, 410: nestedError },
} as const satisfies Route

const back = {
  path: '/pay/checkouts/:handle/return',
  tag: 'payer',
  summary: 'Return from a bank',
  description:
    'A bank or wallet sends the payer here after a confirmation. The browser is ' +
    'redirected to the payment page or to the redirect target of the link.',
  params: z.object({
    handle: z
      .string()
      .meta({ description: 'Handle of the session, which only the bank receives.' }),
  }),
  fromElsewhere: true,
  responses: { 303: null, 404: 'html' },
} as const

const setupBack = {
  path: '/pay/setups/:handle/return',
  tag: 'payer',
  summary: 'Return from a bank after a method was saved',
  description:
    'A bank sends the payer here after a confirmation of a payment method that is saved without a ' +
    'payment. The browser is redirected to the page where the payer began.',
  params: z.object({
    handle: z.string().meta({ description: 'Handle of the set-up, which only the bank receives.' }),
  }),
  fromElsewhere: true,
  responses: { 303: null, 404: 'html' },
} as const

export function payPageRoutes(router: Router, deps: Deps, renderPage: PageRenderer): void {
  const respond = createPageResponder(deps.config, renderPage)
  deepLinkPageRoutes(router, deps, respond)

  // Authorization and the link are checked before the body is read, which costs more.
  router.app.use('/pay/checkouts/current/*', async (c, next) => {
    const session = await resumeCheckout(deps, c.req.header('authorization'))
    c.set('checkout', session)
    await withClockOf(session.instance, next)
  })

  router.app.on('POST', open.path, async (c, next) => {
    if (!(await findLink(deps.db, c.req.param('id')))) throw notFound('Payment link')
    await next()
  })

  router.on(current, async (c, { query }) => {
    const session = await refreshCharges(deps, c.get('checkout'))
    await recordReportedMilestones(deps, session.checkout, query)
    const checkout = await buildCheckoutView(deps, session)
    return c.json({ checkout: { ...checkout, strings: missingStrings(session.bundle, query) } })
  })

  router.on(submit, async (c, { body }) =>
    c.json(await submitCheckout(deps, c.get('checkout'), body, clientInfo(c))),
  )

  router.on(removeMethod, async (c, { params }) => {
    await removeSessionMethod(deps, c.get('checkout'), params.id)
    return c.body(null, 204)
  })

  // Banks return by GET and by POST.
  for (const method of ['get', 'post'] as const) {
    router.on(
      { ...setupBack, method, operation: `return_to_setup_by_${method}` } satisfies Route,
      async (c, { params }) => {
        const target = await resolveSetupReturn(deps, params.handle)
        if (target === undefined) return respond(c, unknownLinkView(preferences(c)))
        c.header('Location', target)
        return c.body(null, 303)
      },
    )
    router.on(
      { ...back, method, operation: `return_by_${method}` } satisfies Route,
      async (c, { params }) => {
        const target = await resolveReturnTarget(deps, params.handle, isFramed(c))
        if (target !== undefined) {
          // `c.redirect` would encode the URL again.
          c.header('Location', target)
          return c.body(null, 303)
        }
        return respond(c, unknownLinkView(preferences(c)))
      },
    )
  }

  router.on(page, async (c, { params, query }) => {
    if (DEEP_LINK_ID.test(params.id)) {
      // The embed script knows of a link its id only.
      c.header('Location', `../go/${params.id}${new URL(c.req.url).search}`)
      return c.body(null, 303)
    }
    const view = await buildFirstView(
      deps,
      { paymentLink: params.id },
      {
        handle: query.ck,
        branding: query.branding,
        preferences: { ...preferences(c), requested: query.lang ?? query.language },
      },
    )
    return respond(c, view)
  })

  router.on(qr, (c, { params }) => respondWithQrCode(deps, c, { paymentLink: params.id }))

  router.on(open, async (c, { params, body }) => {
    const request = body ?? {}
    const opened = await openCheckout(deps, { paymentLink: params.id }, request, preferences(c))
    const checkout = { ...opened.checkout, strings: missingStrings(opened.bundle, request) }
    return c.json({ token: opened.token, checkout })
  })
}
