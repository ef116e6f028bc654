import type { Instance } from '../db/rows.ts'
import type { PaymentLink, PaymentLinkChange } from '../../shared/schemas/payment-link.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { getAccount } from '../accounts/store.ts'
import type { Db } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { PROXY_UNKNOWN, isProxyUnknown } from '../http/proxies.ts'
import { invalidState } from '../errors.ts'
import { newPaymentLinkId } from '../ids.ts'
import { validateLink, editLink, type LinkContent, type LinkRules } from './edit.ts'
import { requirePaymentMethod } from './require-method.ts'
import { insertLink } from './store.ts'
import { recordLinkEvent } from './events.ts'

/**
 * Makes a link and records `payment_link.created` (specification: `POST /payment_links`). A link is
 * an edit of nothing. Answers it as the API shows it. Throws a ApiError for content that breaks a
 * rule or that nobody could pay, and a 404 one for an account that is not there.
 */
export async function createLink(
  deps: Deps,
  instance: Instance,
  given: PaymentLinkChange,
): Promise<PaymentLink> {
  requireSafeDeployment(deps, instance)
  const now = deps.now()
  const content = editLink({ expires: null, options: {}, state: null }, given, 'REPLACE')
  validateLink(content, given, linkRules(instance, now))
  requirePaymentMethod(deps, instance, content.options)
  const created = formatInstant(now)
  const link = {
    id: newPaymentLinkId(now),
    instance_id: instance.id,
    status: 'ACTIVE' as const,
    archived: null,
    ...contentColumns(content),
    options_v: 1,
    account_id: null,
    contract_id: null,
    charge_id: null,
    transaction_id: null,
    payment_method_id: null,
    payment_id: null,
    claim: null,
    removed_opened: null,
    removed_last_opened: null,
    opening_told: 0,
    expiry_told: 0,
    created,
    updated: created,
    v: 1,
  }
  return inTransaction(deps.db, async (tx) => {
    await requireAccount(tx, instance, content)
    await insertLink(tx, link)
    const fresh = { ...link, opened: null, last_opened: null, attempts: 0 }
    const at = { tx, baseUrl: deps.config.baseUrl, now }
    return recordLinkEvent(at, 'payment_link.created', fresh)
  })
}

/**
 * Real cards are typed on a page that came by https, or on none, and only where those who try out
 * stolen ones can be told apart. A live instance may have been made beside a running server.
 */
function requireSafeDeployment({ config }: Deps, instance: Instance): void {
  if (instance.mode !== 'LIVE') return
  if (isProxyUnknown(config)) throw invalidState(PROXY_UNKNOWN)
  if (config.baseUrl.startsWith('https:')) return
  throw invalidState(
    'A live instance makes links only when the setting BASE_URL begins with https:',
  )
}

/** A link's content as its columns hold it. */
export function contentColumns(content: LinkContent): {
  expires: string | null
  options: string
  state: string | null
} {
  return {
    expires: content.expires,
    options: JSON.stringify(content.options),
    state: content.state == null ? null : JSON.stringify(content.state),
  }
}

/** The rules that an instance sets for its links. */
export function linkRules(instance: Instance, now: number): LinkRules {
  const brandings = JSON.parse(instance.brandings) as { channels?: string[] }[]
  return {
    defaultCurrency: instance.default_currency,
    testMode: instance.mode === 'TEST',
    channels: brandings.flatMap((branding) => branding.channels ?? []),
    now,
  }
}

/** 404 when the link names an account that this instance does not have. */
export async function requireAccount(
  db: Db,
  instance: Instance,
  content: LinkContent,
): Promise<void> {
  const account = content.options.account
  if (typeof account === 'string') await getAccount(db, instance.id, account)
}
