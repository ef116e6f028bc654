import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import type { OpenCheckoutResponse, OpenCheckoutRequest } from '../../shared/page-model.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createCache, perDatabase } from '../cache.ts'
import { toJson } from '../db/json.ts'
import { inTransaction } from '../db/transaction.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { recordEvent } from '../events/record-event.ts'
import { newId, randomBase64url } from '../ids.ts'
import { isPersonal } from '../deep-links/personal.ts'
import { findPayerLink, type LinkAddress, type PayerLink } from '../deep-links/payer-link.ts'
import { brandingOfChannel, brandingsOf, nameOf } from '../instances/brandings.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { recordLinkEvent } from '../payment-links/events.ts'
import { isUnavailable, linkGone, linkPayability } from '../payment-links/payability.ts'
import { getLinkWithHistory } from '../payment-links/queries.ts'
import { markOpened } from '../payment-links/store.ts'
import { saveBundle } from '../strings/bundle-store.ts'
import { type Bundle, getBundle } from '../strings/bundle.ts'
import type { LanguagePreferences } from '../strings/languages.ts'
import { chargesColumn, readTerms } from './charges.ts'
import { checkEmbeddedOrigin } from './embed-origin.ts'
import { resolveCurrency } from './resolve-terms.ts'
import { resolveLocale } from './resolve-locale.ts'
import { serializeCheckout } from './serialize.ts'
import { payeeColumns, resolveLinkPayee } from './payee.ts'
import { nameSession, sessionToken, tokenHash } from './session.ts'
import { insertCheckout } from './store.ts'
import { buildCheckoutView } from './view.ts'

/** When this process last saved each bundle, epoch ms. Once an hour suffices to keep it. */
const bundlesSaved = perDatabase(() => createCache<number>(2000))
const SAVE_AGAIN_MS = 3_600_000

export interface OpenedCheckout extends OpenCheckoutResponse {
  bundle: Bundle
}

/**
 * Opens a checkout session. Language, strings, branding, time zone and the merchant's name are fixed
 * for its lifetime. Records `checkout.opened`, and `payment_link.opened` for the first session of a payment
 * link.
 */
export async function openCheckout(
  deps: Deps,
  address: LinkAddress,
  request: OpenCheckoutRequest,
  preferences: LanguagePreferences,
): Promise<OpenedCheckout> {
  const payerLink = await findPayerLink(deps.db, address)
  if (!payerLink) throw notFound('Payment link')
  const prefill = 'prefill' in address ? toJson(address.prefill) : null
  return withClockOf(payerLink.instance, () =>
    openOnLink(deps, { ...payerLink, prefill }, request, preferences),
  )
}

async function openOnLink(
  deps: Deps,
  { link, instance, deepLink, prefill }: PayerLink & Pick<CheckoutRow, 'prefill'>,
  request: OpenCheckoutRequest,
  preferences: LanguagePreferences,
): Promise<OpenedCheckout> {
  const now = deps.now()
  const terms = await readTerms(deps.db, link)
  const currency = resolveCurrency(instance, terms.options, undefined)
  const payability = linkPayability({ link, instance, deepLink }, { now, currency })
  if (isUnavailable(payability)) throw linkGone()
  const branding = resolveBranding(instance, link, request.branding)
  const payee = await resolveLinkPayee(deps, instance, link, { branding, currency })
  const locale = await resolveLocale(deps, instance, link, {
    branding,
    preferences: { ...preferences, requested: request.language ?? preferences.requested },
  })
  const bundle = await getBundle(deps, instance, locale)
  await keepBundle(deps, bundle)
  const secret = randomBase64url(32)
  const created = formatInstant(now)
  const checkout: CheckoutRow = {
    id: newId('ck', now),
    instance_id: instance.id,
    payment_link_id: link.id,
    deep_link_id: link.deep_link_id,
    prefill,
    status: 'OPEN',
    token_hash: tokenHash(secret),
    language: bundle.language,
    bundle: bundle.key,
    branding: locale.branding === '' ? null : locale.branding,
    merchant: nameOf(instance, locale.branding),
    timezone: locale.timezone,
    options_v: link.options_v,
    charges: chargesColumn(terms),
    account_id: null,
    amount: null,
    quantity: null,
    currency,
    alt_key: null,
    description: null,
    payer_comment: null,
    embedded_origin: checkEmbeddedOrigin(instance, request.embedded_origin),
    network: null,
    ...payeeColumns(payee),
    milestones: '{}',
    channel: parseLinkContent(link).options.channel ?? null,
    method_type: null,
    processor: null,
    declined: 0,
    personal: deepLink && isPersonal(deepLink) ? 1 : 0,
    expires: formatInstant(now + deps.config.checkoutTtlMs),
    created,
    updated: created,
    v: 1,
  }
  await storeCheckout(deps, { link, bundle, checkout, now })
  const session = await nameSession(deps, { instance, link, deepLink, bundle, checkout })
  const view = await buildCheckoutView(deps, { ...session, isNew: true })
  return { token: sessionToken(checkout.id, secret), checkout: view, bundle: session.bundle }
}

async function storeCheckout(
  deps: Deps,
  input: { link: SessionLink; bundle: Bundle; checkout: CheckoutRow; now: number },
): Promise<void> {
  const { link, bundle, checkout, now } = input
  const instanceId = link.instance_id
  const record = serializeCheckout(
    { ...checkout, strings_hash: bundle.hash, attempts: [], payer_details: null },
    now,
  )
  await inTransaction(deps.db, async (tx) => {
    if (!(await insertCheckout(tx, checkout))) throw linkGone()
    await recordEvent(tx, { instanceId, type: 'checkout.opened', data: { checkout: record }, now })
    // A stale `opening_told` can only be 0, and `markOpened` then finds out.
    if (link.id === null || link.opening_told === 1) return
    if (await markOpened(tx, link.id, checkout.created)) {
      const opened = await getLinkWithHistory(tx, instanceId, link.id)
      await recordLinkEvent(
        { tx, baseUrl: deps.config.baseUrl, now },
        'payment_link.opened',
        opened,
      )
    }
  })
}

/** Returns the key of the requested branding, else of the link's channel, else an empty string. */
function resolveBranding(
  instance: Instance,
  link: SessionLink,
  requested: string | undefined,
): string {
  if (requested === undefined) {
    return brandingOfChannel(instance, parseLinkContent(link).options.channel)?.key ?? ''
  }
  if (brandingsOf(instance).some(({ key }) => key === requested)) return requested
  throw invalid('branding', 'does not belong to this instance')
}

async function keepBundle(deps: Deps, bundle: Bundle): Promise<void> {
  const now = deps.realNow()
  const saved = bundlesSaved(deps.db)
  if (now - (saved.get(bundle.key) ?? Number.NEGATIVE_INFINITY) < SAVE_AGAIN_MS) return
  await saveBundle(deps.db, bundle, formatInstant(now))
  saved.set(bundle.key, now)
}
