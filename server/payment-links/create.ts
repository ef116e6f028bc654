import type { Instance } from '../db/tables/instances.ts'
import type { PaymentLink } from '../../shared/schemas/payment-link-record.ts'
import type { PaymentLinkChange } from '../../shared/schemas/payment-link.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { PROXY_UNKNOWN, isProxyUnknown } from '../http/proxies.ts'
import { invalidState } from '../errors.ts'
import { newPaymentLinkId } from '../ids.ts'
import { readPayableOptions, resolveCharges } from './charges.ts'
import { requireAccount, requireEntity } from './content.ts'
import { editLink, linkRules, validateLink } from './edit.ts'
import { newLinkRow } from './new-link.ts'
import { requirePaymentMethod } from './require-method.ts'
import { insertLink } from './store.ts'
import { recordLinkEvent } from './events.ts'

/**
 * Creates a link and records `payment_link.created`. A new link is an edit of an empty one, so both
 * obey the same rules. Throws an ApiError for content that breaks a rule or that no payment method
 * could pay, and 404 for an unknown account.
 */
export async function createLink(
  deps: Deps,
  instance: Instance,
  input: PaymentLinkChange,
): Promise<PaymentLink> {
  requireSafeDeployment(deps, instance)
  const now = deps.now()
  const edited = editLink({ expires: null, options: {}, state: null }, input, 'REPLACE')
  validateLink(edited, input, linkRules(instance, now))
  const content = await resolveCharges(deps.db, instance, undefined, edited)
  await requirePaymentMethod(
    deps,
    instance,
    await readPayableOptions(deps.db, instance.id, content.options),
  )
  const made = { instanceId: instance.id, content, created: formatInstant(now) }
  const link = { ...newLinkRow(made), id: newPaymentLinkId(now) }
  return inTransaction(deps.db, async (tx) => {
    await requireAccount(tx, instance, content)
    await requireEntity(tx, instance, content)
    await insertLink(tx, link)
    const fresh = { ...link, opened: null, last_opened: null, attempts: 0 }
    const at = { tx, baseUrl: deps.config.baseUrl, now }
    return recordLinkEvent(at, 'payment_link.created', fresh)
  })
}

/**
 * Throws INVALID_STATE where a live link would be unsafe: without https, or behind an unknown proxy,
 * where declines cannot be counted per network. Checked for each link, because the command
 * line can create a live instance while the server runs.
 */
export function requireSafeDeployment({ config }: Deps, instance: Instance): void {
  if (instance.mode !== 'LIVE') return
  if (isProxyUnknown(config)) throw invalidState(PROXY_UNKNOWN)
  if (config.baseUrl.startsWith('https:')) return
  throw invalidState(
    'A live instance makes links only when the setting BASE_URL begins with https:',
  )
}
