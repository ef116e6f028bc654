import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CheckoutRow, Instance, LinkRow } from '../db/rows.ts'
import type { OpenCheckoutAnswer, OpenCheckoutRequest } from '../../shared/page-model.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { ApiError, UnauthorizedError, invalid, notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import { brandingOfChannel, brandingsOf, nameOf } from '../instances/brandings.ts'
import { parseLinkContent } from '../payment-links/serialize.ts'
import { linkStatus } from '../payment-links/status.ts'
import { getLinkWithHistory } from '../payment-links/queries.ts'
import { findLinkAndInstance, markOpened } from '../payment-links/store.ts'
import { recordLinkEvent } from '../payment-links/events.ts'
import { type Bundle, getBundle, createBundle } from '../strings/bundle.ts'
import { checkEmbeddedOrigin } from './embed-origin.ts'
import { missingStrings } from '../pay-page/page-strings.ts'
import { serializeCheckout } from './serialize.ts'
import { findBundle, findCheckout, insertCheckout, saveBundle } from './store.ts'
import { recordCheckoutEvent } from './events.ts'
import { amountFits, buildCheckoutView, resolveCurrency } from './view.ts'
import { resolveLocale } from './resolve-locale.ts'
import type { LanguagePreferences } from '../strings/languages.ts'

/** When this process last said that a bundle is in use; saying it once an hour is enough. */
const said = new WeakMap<object, Map<string, number>>()
const SAY_AGAIN_MS = 3_600_000

/**
 * Opens a checkout session (contract section 7.1): freezes wording, language, branding, time zone
 * and the merchant's name, and answers the session's token, of which only a hash is kept. Records
 * `checkout.opened`, and for a link's first session `payment_link.opened`. With warm wording a
 * later session is one read and two inserts.
 */
export async function openCheckout(
  deps: Deps,
  linkId: string,
  request: OpenCheckoutRequest,
  wishes: LanguagePreferences,
): Promise<OpenCheckoutAnswer> {
  const found = await findLinkAndInstance(deps.db, linkId)
  if (!found) throw notFound('Payment link')
  return withClockOf(found.instance, () => openFound(deps, found, request, wishes))
}

async function openFound(
  deps: Deps,
  { link, instance }: { link: LinkRow; instance: Instance },
  request: OpenCheckoutRequest,
  wishes: LanguagePreferences,
): Promise<OpenCheckoutAnswer> {
  const now = deps.now()
  const { options } = parseLinkContent(link)
  const currency = resolveCurrency(instance, options, undefined)
  refuseGone(link, now, amountFits(options, currency))
  const scope = await resolveLocale(deps, instance, link, {
    branding: namedBranding(instance, link, request.branding),
    wishes: { ...wishes, requested: request.language ?? wishes.requested },
  })
  const bundle = await getBundle(deps, instance, scope)
  await keepBundle(deps, bundle)
  const secret = randomBytes(32).toString('base64url')
  const checkout: CheckoutRow = {
    ...newCheckout(deps, { instance, link, bundle, request, now }),
    timezone: scope.timezone,
    branding: scope.branding === '' ? null : scope.branding,
    merchant: nameOf(instance, scope.branding),
    token_hash: hashOf(secret).toString('base64url'),
    currency,
  }
  await storeSession(deps, { link, bundle, checkout, now })
  const view = await buildCheckoutView(deps, { instance, link, bundle, checkout, fresh: true })
  return {
    token: `ckt_${checkout.id.slice('ck_'.length)}_${secret}`,
    checkout: { ...view, strings: missingStrings(bundle, request) },
  }
}

async function storeSession(
  deps: Deps,
  opening: { link: LinkRow; bundle: Bundle; checkout: CheckoutRow; now: number },
): Promise<void> {
  const { link, bundle, checkout, now } = opening
  const instanceId = link.instance_id
  const fresh = { ...checkout, strings_hash: bundle.hash, attempts: [], payer_details: null }
  await inTransaction(deps.db, async (tx) => {
    if (!(await insertCheckout(tx, checkout))) throw gone()
    await recordCheckoutEvent(tx, 'checkout.opened', serializeCheckout(fresh, now), {
      instanceId,
      now,
    })
    // What was read may be old, but never says that a link was opened when it was not.
    if (link.opening_told === 0 && (await markOpened(tx, link.id, checkout.created))) {
      const telling = { tx, baseUrl: deps.config.baseUrl, now }
      const opened = await getLinkWithHistory(tx, instanceId, link.id)
      await recordLinkEvent(telling, 'payment_link.opened', opened)
    }
  })
}

function refuseGone(link: LinkRow, now: number, chargeable: boolean): void {
  const status = linkStatus(link, now)
  const closed = link.archived !== null || !chargeable
  if (status === 'EXPIRED' || (status === 'ACTIVE' && closed)) {
    throw gone()
  }
}

function gone(): ApiError {
  return new ApiError('GONE', 'Payment link is no longer available')
}

/** The branding that the session names, else the one of the link's channel, else none. */
function namedBranding(instance: Instance, link: LinkRow, named: string | undefined): string {
  if (named === undefined) {
    return brandingOfChannel(instance, parseLinkContent(link).options.channel)?.key ?? ''
  }
  if (brandingsOf(instance).some(({ key }) => key === named)) return named
  throw invalid('branding', 'is not one of this instance')
}

async function keepBundle(deps: Deps, bundle: Bundle): Promise<void> {
  const now = deps.realNow()
  const known = said.get(deps.db) ?? new Map<string, number>()
  said.set(deps.db, known)
  if (now - (known.get(bundle.key) ?? Number.NEGATIVE_INFINITY) < SAY_AGAIN_MS) return
  await saveBundle(deps.db, bundle, formatInstant(now))
  known.set(bundle.key, now)
}

function newCheckout(
  deps: Deps,
  from: {
    instance: Instance
    link: LinkRow
    bundle: Bundle
    request: OpenCheckoutRequest
    now: number
  },
): Omit<CheckoutRow, 'branding' | 'currency' | 'merchant' | 'timezone' | 'token_hash'> {
  const { instance, link, bundle, now } = from
  const created = formatInstant(now)
  return {
    id: newId('ck', now),
    instance_id: instance.id,
    payment_link_id: link.id,
    status: 'OPEN',
    language: bundle.language,
    bundle: bundle.key,
    options_v: link.options_v,
    account_id: null,
    amount: null,
    alt_key: null,
    description: null,
    payer_comment: null,
    embedded_origin: checkEmbeddedOrigin(instance, from.request.embedded_origin),
    network: null,
    milestones: '{}',
    expires: formatInstant(now + deps.config.checkoutTtlMs),
    created,
    updated: created,
    v: 1,
  }
}

/** A session with everything that belongs to it, found by its bearer token. */
export interface CheckoutSession {
  instance: Instance
  link: LinkRow
  bundle: Bundle
  checkout: CheckoutRow
}

/** The session of an `Authorization: Bearer ckt_…` header; 401 without one that we issued. */
export async function resumeCheckout(
  deps: Deps,
  authorisation: string | undefined,
): Promise<CheckoutSession> {
  const token = /^bearer +ckt_([0-9]+_[0-9a-z]+)_([\w-]{43})$/i.exec(authorisation ?? '')
  const checkout = token ? await findCheckout(deps.db, `ck_${token[1]}`) : undefined
  if (!checkout || !sameHash(token?.[2] ?? '', checkout.token_hash)) throw badToken()
  const found = await findLinkAndInstance(deps.db, checkout.payment_link_id)
  if (!found) throw badToken()
  return { ...found, checkout, bundle: await frozenBundle(deps, found.instance, checkout) }
}

function badToken(): UnauthorizedError {
  return new UnauthorizedError(undefined, { event: 'token_refused' })
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function sameHash(secret: string, stored: string): boolean {
  return timingSafeEqual(hashOf(secret), Buffer.from(stored, 'base64url'))
}

/**
 * Returns the wording that the session was opened with, whatever the merchant has written since. What
 * an earlier release did not have yet is added, since the page of this one says it.
 */
async function frozenBundle(
  deps: Deps,
  instance: Instance,
  checkout: CheckoutRow,
): Promise<Bundle> {
  const { language, branding } = checkout
  const current = await getBundle(deps, instance, { language, branding: branding ?? '' })
  if (current.key === checkout.bundle) return current
  const frozen = await findBundle(deps.db, checkout.bundle)
  return frozen ? createBundle(language, { ...current.strings, ...frozen }) : current
}
