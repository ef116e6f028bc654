import type { OpenCheckoutAnswer, OpenCheckoutRequest } from '../../shared/page-model.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { Refusal, Unauthorised, notFound } from '../http/refusal.ts'
import { newId } from '../ids.ts'
import { getInstance } from '../instances/store.ts'
import type { Instance } from '../instances/store.ts'
import { linkContent } from '../payment-links/record.ts'
import { linkStatus } from '../payment-links/status.ts'
import { findLink } from '../payment-links/store.ts'
import type { LinkRow } from '../payment-links/store.ts'
import { shippedBundle, toBundle } from '../strings/bundle.ts'
import type { Bundle } from '../strings/bundle.ts'
import { findBundle, findCheckoutByToken, insertCheckout, storeBundle } from './store.ts'
import type { CheckoutRow } from './store.ts'
import { checkoutView } from './view.ts'

/** Bundles that are known to be stored; a bundle is never changed, so this is never stale. */
const stored = new WeakMap<object, Set<string>>()

/**
 * Opens a checkout session (contract section 7.1): freezes wording, language, time zone and the
 * merchant's name, and answers the session's token, which is kept only as a hash.
 */
export async function openCheckout(
  deps: Deps,
  linkId: string,
  request: OpenCheckoutRequest,
): Promise<OpenCheckoutAnswer> {
  const link = await findLink(deps.db, linkId)
  if (!link) throw notFound('Payment link')
  refuseGone(link, deps.now())
  const instance = await getInstance(deps.db, link.instance_id)
  const bundle = shippedBundle(request.language ?? 'default')
  const now = deps.now()
  await keepBundle(deps, bundle, now)
  const token = newSecret('ckt')
  const checkout = newCheckout(deps, { instance, link, bundle, token, request, now })
  await insertCheckout(deps.db, checkout)
  return { token, checkout: await checkoutView(deps, { instance, link, bundle, checkout }) }
}

function refuseGone(link: LinkRow, now: number): void {
  const status = linkStatus(link, now)
  if (status === 'EXPIRED' || (status === 'ACTIVE' && link.archived !== null)) {
    throw new Refusal('GONE', 'Payment link is no longer available')
  }
}

async function keepBundle(deps: Deps, bundle: Bundle, now: number): Promise<void> {
  const known = stored.get(deps.db) ?? new Set()
  if (known.has(bundle.hash)) return
  await storeBundle(deps.db, bundle, formatInstant(now))
  stored.set(deps.db, known.add(bundle.hash))
}

function newCheckout(
  deps: Deps,
  from: {
    instance: Instance
    link: LinkRow
    bundle: Bundle
    token: string
    request: OpenCheckoutRequest
    now: number
  },
): CheckoutRow {
  const { instance, link, bundle, now } = from
  const created = formatInstant(now)
  return {
    id: newId('ck', now),
    instance_id: instance.id,
    payment_link_id: link.id,
    token_hash: hashSecret(from.token),
    status: 'OPEN',
    merchant: instance.name,
    language: bundle.language,
    branding: null,
    timezone: linkContent(link).options.timezone ?? instance.timezone,
    strings_hash: bundle.hash,
    options_v: link.options_v,
    account_id: null,
    amount: null,
    currency: null,
    alt_key: null,
    description: null,
    payer_comment: null,
    embedded_origin: from.request.embedded_origin ?? null,
    milestones: JSON.stringify({ opened: created }),
    expires: formatInstant(now + deps.config.checkoutTtlMs),
    created,
    updated: created,
    v: 1,
  }
}

/** A session with everything that belongs to it, found by its bearer token. */
export interface OpenedCheckout {
  instance: Instance
  link: LinkRow
  bundle: Bundle
  checkout: CheckoutRow
}

/** The session of an `Authorization: Bearer ckt_…` header; 401 without one that we issued. */
export async function resumeCheckout(
  deps: Deps,
  authorisation: string | undefined,
): Promise<OpenedCheckout> {
  const token = /^bearer +(ckt_[\w-]{43})$/i.exec(authorisation ?? '')?.[1]
  const checkout = token && (await findCheckoutByToken(deps.db, hashSecret(token)))
  if (!checkout) throw new Unauthorised()
  const link = await findLink(deps.db, checkout.payment_link_id)
  if (!link) throw new Unauthorised()
  const instance = await getInstance(deps.db, checkout.instance_id)
  return { instance, link, checkout, bundle: await frozenBundle(deps, checkout) }
}

async function frozenBundle(deps: Deps, checkout: CheckoutRow): Promise<Bundle> {
  const current = shippedBundle(checkout.language)
  if (current.hash === checkout.strings_hash) return current
  const json = await findBundle(deps.db, checkout.strings_hash)
  return toBundle(checkout.language, JSON.parse(json ?? '{}') as Record<string, string>)
}
