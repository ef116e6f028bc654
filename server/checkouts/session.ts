import { createHash, timingSafeEqual } from 'node:crypto'
import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { Deps } from '../deps.ts'
import { UnauthorizedError } from '../errors.ts'
import { type LegalEntityContent, legalNames } from '../legal-entities/content.ts'
import { findSessionLink, type PayerLink } from '../deep-links/payer-link.ts'
import { findBundleStrings } from '../strings/bundle-store.ts'
import { type Bundle, createBundle, getBundle } from '../strings/bundle.ts'
import { nameLegalEntity } from '../strings/named-bundle.ts'
import { bundleForLink } from '../strings/trial-bundle.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { findShownEntity } from './payee.ts'
import { findCheckout } from './store.ts'

export interface CheckoutSession extends PayerLink {
  bundle: Bundle
  checkout: CheckoutRow
  /** What the page shows of it; undefined if there is none. */
  legalEntity?: LegalEntityContent | undefined
}

/** Returns the session of an `Authorization: Bearer ckt_…` header. Throws 401 for any other header. */
export async function resumeCheckout(
  deps: Deps,
  authorization: string | undefined,
): Promise<CheckoutSession> {
  const token = /^bearer +ckt_([0-9]+_[0-9a-z]+)_([\w-]{43})$/i.exec(authorization ?? '')
  const checkout = token ? await findCheckout(deps.db, `ck_${token[1]}`) : undefined
  if (!checkout || !isTokenSecret(token?.[2] ?? '', checkout.token_hash)) throw invalidToken()
  const payerLink = await findSessionLink(deps.db, checkout)
  if (!payerLink) throw invalidToken()
  const bundle = await getSessionBundle(deps, payerLink.instance, checkout)
  return nameSession(deps, { ...payerLink, checkout, bundle })
}

/** Adds the legal entity that the session's page shows, and gives the strings those of a free trial. */
export async function nameSession<T extends Omit<CheckoutSession, 'legalEntity'>>(
  deps: Pick<Deps, 'db'>,
  session: T,
): Promise<T & CheckoutSession> {
  const legalEntity = await findShownEntity(deps, session)
  const names = legalNames(legalEntity, session.checkout.merchant)
  const bundle = bundleForLink(session.bundle, parseLinkContent(session.link).options)
  return { ...session, legalEntity, bundle: nameLegalEntity(bundle, names) }
}

export function sessionToken(checkoutId: string, secret: string): string {
  return `ckt_${checkoutId.slice('ck_'.length)}_${secret}`
}

/** Returns the SHA-256 of a token's secret, in base64url. Only the hash is stored. */
export function tokenHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function isTokenSecret(secret: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(secret)), Buffer.from(storedHash))
}

function invalidToken(): UnauthorizedError {
  return new UnauthorizedError(undefined, { event: 'token_refused' })
}

async function getSessionBundle(
  deps: Deps,
  instance: PayerLink['instance'],
  checkout: CheckoutRow,
): Promise<Bundle> {
  const { language, branding } = checkout
  const found = await findSessionBundle(deps, instance, checkout)
  return found ?? getBundle(deps, instance, { language, branding: branding ?? '' })
}

/**
 * Returns the strings with which the session was opened, whatever the merchant has changed since;
 * undefined if they were deleted. Strings that the frozen bundle lacks, because an earlier release wrote it,
 * are taken from today's.
 */
export async function findSessionBundle(
  deps: Pick<Deps, 'db'>,
  instance: PayerLink['instance'],
  { language, branding, bundle: key }: CheckoutRow,
): Promise<Bundle | undefined> {
  const current = await getBundle(deps, instance, { language, branding: branding ?? '' })
  if (current.key === key) return current
  const frozen = await findBundleStrings(deps.db, key)
  return frozen && createBundle(language, { ...current.strings, ...frozen })
}
