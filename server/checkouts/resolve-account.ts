import type { SubmitBody } from '../../shared/schemas/checkout.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { findAccount, lockAccountByCrmKey } from '../accounts/store.ts'
import { createPayerAccount } from '../accounts/write.ts'
import type { Tx } from '../db/tables.ts'
import { toJson } from '../db/json.ts'
import { invalid, notFound } from '../errors.ts'

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

/** What decides whose account a payment belongs to. */
interface PayerSource {
  options: PaymentLinkOptions
  sent: SubmitBody
  /** The account that this session made on an earlier try. */
  sessionAccount: string | null
  /** A method is to be kept for the payer. */
  save: boolean
}

/** Whether an account has to be made for the payer, unless the link's `crm_key` finds one. */
export function mayNeedAccount({ options, sent, sessionAccount, save }: PayerSource): boolean {
  if (typeof options.account === 'string' || sessionAccount !== null) return false
  const prefilled = Object.keys(withoutEmpty(options.account)).length > 0
  return save || prefilled || typedDetails(sent) !== null
}

/**
 * Finds or makes the payer's account. The named one, else the newest with the link's `crm_key`,
 * else the one this session made on an earlier try, else a new one when there is anything to know
 * of the payer or a method to keep for them. What a payer types never changes an account that
 * existed before: whoever holds a link is not proven to be its owner.
 */
export async function resolveAccount(
  tx: Tx,
  instanceId: string,
  from: PayerSource & {
    /** The payer's actor session; undefined when no account may have to be made. */
    by: string | undefined
    /** Epoch milliseconds. */
    now: number
  },
): Promise<PayerAccount> {
  const { options, sent, by, now } = from
  const details = typedDetails(sent)
  const typed = toJson(details)
  if (typeof options.account === 'string') {
    const account = await findAccount(tx, instanceId, options.account)
    if (!account) throw notFound('Account')
    return { accountId: account.id, typed }
  }
  const crmKey = options.account?.crm_key ?? null
  if (crmKey !== null) {
    const known = await lockAccountByCrmKey(tx, instanceId, crmKey)
    if (known) return { accountId: known.id, typed }
  }
  if (from.sessionAccount !== null) return { accountId: from.sessionAccount, typed }
  if (by === undefined) return { accountId: null, typed }
  const prefilled = withoutEmpty(options.account)
  const channel = options.channel ?? null
  const known = { ...prefilled, ...details, channel, crm_key: crmKey ?? undefined }
  const made = await createPayerAccount({ db: tx, now: () => now }, instanceId, known, by)
  return { accountId: made.id, typed }
}

function withoutEmpty(account: Exclude<PaymentLinkOptions['account'], string>): Details {
  return Object.fromEntries(Object.entries(account ?? {}).filter(([, value]) => value != null))
}
