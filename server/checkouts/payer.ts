import type { SubmitBody } from '../../shared/schemas/checkout.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { findAccount, findAccountByCrmKey, insertAccount } from '../accounts/store.ts'
import type { Tx } from '../db/tables.ts'
import { toJson } from '../db/json.ts'
import { invalid, notFound } from '../http/refusal.ts'
import { newId } from '../ids.ts'

/** Who pays: the account that a payment on a link belongs to (contract section 7.4). */

export interface PayerAccount {
  accountId: string | null
  /** What the payer typed, as JSON, kept with the payment; null when nothing was typed. */
  typed: string | null
}

/** Refuses details for a link whose account the merchant named: the page never asks for them. */
export function checkPayer(options: PaymentLinkOptions, sent: SubmitBody): void {
  if (typeof options.account === 'string' && typedDetails(sent) !== null) {
    throw invalid('account', 'is fixed by the link')
  }
}

function typedDetails(sent: SubmitBody): Details | null {
  const filled = Object.entries(sent.account ?? {}).filter(
    ([, value]) => value != null && value !== '',
  )
  return filled.length === 0 ? null : Object.fromEntries(filled)
}

type Details = NonNullable<SubmitBody['account']>

/**
 * Finds or makes the payer's account. The named one, else the newest with the link's `crm_key`,
 * else the one this session made on an earlier try, else a new one when there is anything to know
 * of the payer or a method to keep for them. What a payer types never changes an account that
 * existed before: whoever holds a link is not proven to be its owner.
 */
export async function payerAccount(
  tx: Tx,
  instanceId: string,
  from: {
    options: PaymentLinkOptions
    sent: SubmitBody
    sessionAccount: string | null
    save: boolean
    now: number
  },
): Promise<PayerAccount> {
  const { options, sent } = from
  const details = typedDetails(sent)
  const typed = toJson(details)
  if (typeof options.account === 'string') {
    const account = await findAccount(tx, instanceId, options.account)
    if (!account) throw notFound('Account')
    return { accountId: account.id, typed }
  }
  const crmKey = options.account?.crm_key ?? null
  if (crmKey !== null) {
    const known = await findAccountByCrmKey(tx, instanceId, crmKey)
    if (known) return { accountId: known.id, typed }
  }
  if (from.sessionAccount !== null) return { accountId: from.sessionAccount, typed }
  const prefilled = withoutEmpty(options.account)
  const known = { ...prefilled, ...details }
  if (Object.keys(known).length === 0 && !from.save) return { accountId: null, typed }
  const id = newId('acc', from.now)
  const created = formatInstant(from.now)
  await insertAccount(tx, {
    id,
    instance_id: instanceId,
    // Every account has a crm_key; one that nobody chose is the account's own id.
    crm_key: crmKey ?? id,
    first_name: known.first_name ?? null,
    last_name: known.last_name ?? null,
    company: null,
    email: known.email ?? null,
    phone: known.phone ?? null,
    address: toJson(known.address),
    metadata: '{}',
    tags: null,
    locale: null,
    timezone: null,
    channel: null,
    division: null,
    crm: null,
    status: 'PENDING',
    last_transacted: null,
    last_transaction_id: null,
    created_session: null,
    updated_session: null,
    created,
    updated: created,
    v: 1,
  })
  return { accountId: id, typed }
}

function withoutEmpty(account: Exclude<PaymentLinkOptions['account'], string>): Details {
  return Object.fromEntries(Object.entries(account ?? {}).filter(([, value]) => value != null))
}
