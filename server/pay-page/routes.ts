import { z } from 'zod'
import { type Scheme, schemeAround } from '../../shared/rules/scheme.ts'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import {
  currentCheckoutAnswer,
  openCheckoutAnswer,
  submitAnswer,
} from '../../shared/schemas/checkout.ts'
import {
  currentCheckoutQuery,
  openCheckoutRequest,
  submitRequest,
} from '../../shared/schemas/checkout-request.ts'
import type { LanguagePreferences } from '../strings/languages.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { PAYER_BODY_BYTES_MAX } from '../http/body.ts'
import { acceptedEncoding } from '../http/compress.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { pagePolicy } from '../http/security.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { linkExists } from '../payment-links/store.ts'
import { notFound } from '../errors.ts'
import { openCheckout } from '../checkouts/open-session.ts'
import { type CheckoutSession, resumeCheckout } from '../checkouts/session.ts'
import type { PageModel } from '../../shared/page-model.ts'
import type { PageRenderer } from './document.ts'
import { type RenderedDocument, createPageCache } from './page-cache.ts'
import { recordReportedMilestones } from '../checkouts/milestones.ts'
import { buildFirstView, type FirstView, previewText, unknownLinkView } from './page-model.ts'
import { missingStrings } from './page-strings.ts'
import { submitCheckout } from '../checkouts/submit.ts'
import { QR_SECONDS, qrCode } from './qr-code.ts'
import { removeSessionMethod } from '../checkouts/remove-method.ts'
import { resolveReturnTarget } from './return.ts'
import { buildCheckoutView } from '../checkouts/view.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The payer's session; set from its token, on the session's own routes only. */
    checkout: CheckoutSession
  }
}

/** The payer's way: the page, the session, the submit and the return (contract section 7). */

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
    'Returns the payment page of a link. With ck it is the page of a session that a bank sent ' +
    'the payer back to.',
  params: linkParams,
  query: z.object({
    ck: z.string().optional().meta({
      description: 'Handle of the session that a bank sent the payer back to.',
    }),
    lang: z.string().max(35).optional().meta({
      description: 'Language of the page; without it the browser’s languages decide.',
      example: 'fr',
    }),
    // By the name that the embed script's options have.
    language: z.string().max(35).optional().meta({ description: 'The same as lang.' }),
    branding: z.string().max(64).optional().meta({
      description: 'Key of the branding whose design and wording the page has.',
    }),
    theme: z.string().optional().meta({
      description: 'Color schemes of a page in a frame.',
      example: 'light dark',
    }),
  }),
  responses: { 200: 'html', 404: 'html', 410: 'html' },
} as const satisfies Route

const open = {
  method: 'post',
  path: '/pay/:id/checkouts',
  tag: 'payer',
  operation: 'open_checkout',
  summary: 'Open a checkout session',
  description:
    'Opens a session on a payment link and returns its token, its terms and its wording.',
  params: linkParams,
  body: openCheckoutRequest,
  bodyOptional: true,
  bodyBytesMax: PAYER_BODY_BYTES_MAX,
  responses: {
    200: openCheckoutAnswer,
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
  responses: { 200: currentCheckoutAnswer, 400: nestedError, 401: flatError },
} as const satisfies Route

const submit = {
  method: 'post',
  path: '/pay/checkouts/current/submit',
  tag: 'payer',
  operation: 'submit_checkout',
  summary: 'Submit a payment',
  description:
    'Tries to pay with a stored payment method or a new one. The same attempt_key never pays ' +
    'twice. The outcome says what the page does next.',
  body: submitRequest,
  bodyBytesMax: PAYER_BODY_BYTES_MAX,
  responses: { 200: submitAnswer, 400: nestedError, 401: flatError, 429: nestedError },
  answerHeaders: { 429: ['Checkstand-Work'] },
} as const satisfies Route

const removeMethod = {
  method: 'delete',
  path: '/pay/checkouts/current/payment_methods/:id',
  tag: 'payer',
  operation: 'remove_checkout_payment_method',
  summary: 'Remove a payment method saved in the session',
  description:
    'Removes a payment method that was saved in this session. Other saved methods are the ' +
    "merchant's to remove.",
  params: z.object({ id: z.string() }),
  responses: { 204: null, 400: nestedError, 401: flatError, 404: nestedError },
} as const satisfies Route

const qr = {
  method: 'get',
  path: '/pay/:id/qr.svg',
  tag: 'payer',
  operation: 'get_payment_link_qr_code',
  summary: 'Get the QR code of a payment link',
  description: 'Returns the address of the payment page as a QR code.',
  params: linkParams,
  responses: { 200: 'svg', 404: nestedError, 410: nestedError },
} as const satisfies Route

const back = {
  path: '/pay/checkouts/:handle/return',
  tag: 'payer',
  summary: 'Return from a bank',
  description:
    'Where a bank or wallet sends the payer back to after a confirmation. The browser goes on to the ' +
    'payment page or to the redirect target of the link.',
  params: z.object({
    handle: z
      .string()
      .meta({ description: 'Handle of the session, which only the bank was told.' }),
  }),
  fromElsewhere: true,
  responses: { 303: null, 404: 'html' },
} as const

export function payPageRoutes(router: Router, deps: Deps, renderPage: PageRenderer): void {
  const drawn = createPageCache()
  // The token is judged before the body is read, which costs more.
  router.app.use('/pay/checkouts/current/*', async (c, next) => {
    const session = await resumeCheckout(deps, c.req.header('authorization'))
    c.set('checkout', session)
    await withClockOf(session.instance, next)
  })

  // So is the link that a session is opened for.
  router.app.on('POST', open.path, async (c, next) => {
    if (!(await linkExists(deps.db, c.req.param('id')))) throw notFound('Payment link')
    await next()
  })

  router.on(current, async (c, { query }) => {
    const session = c.get('checkout')
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
      { ...back, method, operation: `return_by_${method}` } satisfies Route,
      async (c, { params }) => {
        const target = await resolveReturnTarget(deps, params.handle, isFramed(c))
        if (target !== undefined) {
          // Set by hand: the framework's own redirect re-encodes what it is given.
          c.header('Location', target)
          return c.body(null, 303)
        }
        return show(c, unknownLinkView(preferences(c)))
      },
    )
  }

  router.on(page, async (c, { params, query }) => {
    const view = await buildFirstView(deps, params.id, {
      handle: query.ck,
      branding: query.branding,
      preferences: { ...preferences(c), requested: query.lang ?? query.language },
    })
    return show(c, view)
  })

  router.on(qr, async (c, { params }) => {
    const code = await qrCode(deps, params.id)
    c.header('Content-Type', 'image/svg+xml')
    c.header('Cache-Control', `private, max-age=${QR_SECONDS}`)
    c.header('X-Robots-Tag', 'noindex')
    return c.body(code)
  })

  router.on(open, async (c, { params, body }) => {
    const request = body ?? {}
    const opened = await openCheckout(deps, params.id, request, preferences(c))
    const checkout = { ...opened.checkout, strings: missingStrings(opened.bundle, request) }
    return c.json({ token: opened.token, checkout })
  })

  async function show(c: AppContext, view: FirstView): Promise<Response> {
    const framed = isFramed(c) ? schemeAround(c.req.query('theme') ?? 'light dark') : undefined
    const frame = framed === undefined ? 'whole' : `framed/${framed}`
    const madeOf = view.cacheKey && `${frame} ${view.cacheKey}`
    const page = await drawn(madeOf, async () => draw(view, await view.model(), framed))
    const encoding = acceptedEncoding(c.req.header('accept-encoding'))
    if (encoding !== 'identity') c.header('Content-Encoding', encoding)
    c.header('Vary', 'Accept-Encoding')
    c.header('Content-Security-Policy', page.policy)
    c.header('X-Robots-Tag', 'noindex')
    c.header('Content-Type', 'text/html; charset=UTF-8')
    return c.body(await page.packed(encoding), view.status)
  }

  function draw(view: FirstView, model: PageModel, framed: Scheme | undefined): RenderedDocument {
    const look = view.theme()
    const url = model.payment_link && payUrl(deps.config.baseUrl, model.payment_link)
    const description = previewText(model, view.strings)
    const { html, styleHash, mapHash } = renderPage(model, {
      url,
      description,
      css: look.css,
      framed,
    })
    return { html, policy: pagePolicy(styleHash, look.logo, model.embed_origins, mapHash) }
  }
}

/** Whether the browser means to show the answer in a frame; older ones do not say. */
function isFramed(c: AppContext): boolean {
  return c.req.header('sec-fetch-dest') === 'iframe'
}

function preferences(c: AppContext): LanguagePreferences {
  return { accepted: c.req.header('accept-language') }
}
