import { sql } from 'kysely'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { AccountRow } from '../accounts/store.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { archiveDeepLink } from '../deep-links/archive.ts'
import { archiveLink } from '../payment-links/archive.ts'

interface LinkOptions {
  id: string
  options: string
}

/**
 * Removes the details of a customer from the options of links: from those that the account paid, and
 * from those that fill in the page with its `crm_key` or e-mail address. Archives the unpaid ones that
 * name the account by its id. Returns the ids of the payment links and deep links that had details.
 */
export async function removeFromLinks(
  deps: Deps,
  tx: Tx,
  account: AccountRow,
  by: string,
): Promise<string[]> {
  const changed: string[] = []
  const { id: accountId, instance_id: instanceId } = account
  for (const { id, options, isOwn } of await listPaymentLinks(tx, account)) {
    const named = accountOf(options)
    if (named === accountId && !isOwn) await archiveLink(deps, instanceId, id)
    if (isOwn ? typeof named === 'object' : isDescribed(named, account)) {
      const change = withoutAccount(options, deps.now())
      await tx.updateTable('payment_links').set(change).where('id', '=', id).execute()
      changed.push(id)
    }
  }
  for (const { id, options, isOwn } of await listDeepLinks(tx, account)) {
    const named = accountOf(options)
    if (isOwn || named === accountId) {
      await archiveDeepLink(deps, instanceId, { idOrSlug: id, by })
    }
    if (isDescribed(named, account)) {
      const change = withoutAccount(options, deps.now())
      await tx.updateTable('deep_links').set(change).where('id', '=', id).execute()
      changed.push(id)
    }
  }
  return changed
}

/** `isOwn`: the account paid it. */
async function listPaymentLinks(
  tx: Tx,
  account: AccountRow,
): Promise<(LinkOptions & { isOwn: boolean })[]> {
  const rows = await tx
    .selectFrom('payment_links')
    .select(['id', 'options', 'account_id'])
    .where('instance_id', '=', account.instance_id)
    .where((eb) => eb.or([eb('account_id', '=', account.id), namesAccount(account)]))
    .execute()
  return rows.map((row) => ({ ...row, isOwn: row.account_id === account.id }))
}

/** `isOwn`: it is for a task of the account. */
async function listDeepLinks(
  tx: Tx,
  account: AccountRow,
): Promise<(LinkOptions & { isOwn: boolean })[]> {
  const rows = await tx
    .selectFrom('deep_links')
    .select(['id', 'options', 'account_id'])
    .where('instance_id', '=', account.instance_id)
    .where((eb) => eb.or([eb('account_id', '=', account.id), namesAccount(account)]))
    .execute()
  return rows.map((row) => ({ ...row, isOwn: row.account_id === account.id }))
}

/**
 * A condition that also finds links which have one of the texts in another option. `like` would read
 * `%` and `_` in a text as patterns.
 */
function namesAccount({ id, crm_key, email }: AccountRow) {
  const names = [id, crm_key, ...(email ? [email] : [])].map((name) => JSON.stringify(name))
  const has = names.map(
    (name) => sql`replace(lower(options), lower(${name}), '') <> lower(options)`,
  )
  return sql<boolean>`(options like '%"account":%' and (${sql.join(has, sql` or `)}))`
}

function accountOf(options: string): PaymentLinkOptions['account'] {
  return (JSON.parse(options) as PaymentLinkOptions).account
}

/** Whether details that fill in a page are those of the account. A `crm_key` decides where there is one. */
function isDescribed(
  named: PaymentLinkOptions['account'],
  { id, crm_key, email }: AccountRow,
): boolean {
  if (named == null || typeof named === 'string') return false
  if (named.crm_key != null) return named.crm_key === crm_key && crm_key !== id
  return email !== null && named.email?.toLowerCase() === email.toLowerCase()
}

/** A new version of the options replaces the pages that are cached. */
function withoutAccount(options: string, now: number) {
  const { account: _account, ...others } = JSON.parse(options) as PaymentLinkOptions
  return {
    options: JSON.stringify(others),
    options_v: sql<number>`options_v + 1`,
    updated: formatInstant(now),
    v: sql<number>`v + 1`,
  }
}
