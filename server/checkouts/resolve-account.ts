import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import {
  findAccount,
  findAccountByCrmKey,
  lockAccount,
  lockAccountByCrmKey,
} from '../accounts/store.ts'
import { createAccount } from '../accounts/create.ts'
import type { Tx } from '../db/tables.ts'
import { toJson } from '../db/json.ts'
import { invalid, notFound } from '../errors.ts'

/** The account of a payment on a link, and the details that the payer entered. */
export interface PayerAccount {
  accountId: string | null
  /** JSON, stored with the payment; null when the payer entered nothing. */
  details: string | null
}

type PayerDetails = NonNullable<SubmitBody['account']>

/** Throws INVALID_REQUEST for details on a link whose account is fixed. Its page has no such fields. */
export function checkPayerDetails(options: PaymentLinkOptions, request: SubmitBody): void {
  if (typeof options.account === 'string' && parsePayerDetails(request) !== null) {
    throw invalid('account', 'is fixed by the link')
  }
}

function parsePayerDetails(request: SubmitBody): PayerDetails | null {
  const filled = Object.entries(request.account ?? {}).filter(
    ([, value]) => value != null && value !== '',
  )
  return filled.length === 0 ? null : Object.fromEntries(filled)
}

interface AccountSource {
  options: PaymentLinkOptions
  request: SubmitBody
  /** The account that an earlier attempt of the session created. */
  sessionAccount: string | null
  /** Whether the payment saves a method. */
  save: boolean
}

/** Returns whether an account is created unless the link's `crm_key` finds one. */
export function mayCreateAccount({
  options,
  request,
  sessionAccount,
  save,
}: AccountSource): boolean {
  if (typeof options.account === 'string' || sessionAccount !== null) return false
  const hasPrefill = Object.keys(withoutEmpty(options.account)).length > 0
  return save || hasPrefill || parsePayerDetails(request) !== null
}

/**
 * Locks the account of a payment as far as it is known before, as every transaction does first. Returns
 * false when it was anonymised, with which its sessions end.
 */
export async function lockKnownAccount(
  tx: Tx,
  instanceId: string,
  { options: { account }, sessionAccount }: Pick<AccountSource, 'options' | 'sessionAccount'>,
): Promise<boolean> {
  const crmKey = typeof account === 'object' ? (account?.crm_key ?? null) : null
  const named = crmKey === null ? undefined : await findAccountByCrmKey(tx, instanceId, crmKey)
  const id = typeof account === 'string' ? account : (named?.id ?? sessionAccount)
  const locked = id === null ? undefined : await lockAccount(tx, instanceId, id)
  return locked === undefined || locked.anonymised === null
}

/**
 * Returns the payer's account: the link's, else the newest with the link's `crm_key`, else the one of
 * an earlier attempt of the session, else a new one where there are details or a method to save. What
 * a payer enters never changes an existing account, because a link does not prove its owner.
 */
export async function resolveAccount(
  tx: Tx,
  instanceId: string,
  source: AccountSource & {
    /** Id of the payer's actor session; undefined when no account may be created. */
    actorSession: string | undefined
    /** Epoch milliseconds. */
    now: number
  },
): Promise<PayerAccount> {
  const { options, request, sessionAccount, actorSession, now } = source
  const entered = parsePayerDetails(request)
  const details = toJson(entered)
  if (typeof options.account === 'string') {
    const account = await findAccount(tx, instanceId, options.account)
    if (!account) throw notFound('Account')
    return { accountId: account.id, details }
  }
  const crmKey = options.account?.crm_key ?? null
  if (crmKey !== null) {
    const existing = await lockAccountByCrmKey(tx, instanceId, crmKey)
    if (existing) return { accountId: existing.id, details }
  }
  if (sessionAccount !== null) return { accountId: sessionAccount, details }
  if (actorSession === undefined) return { accountId: null, details }
  const input = {
    ...withoutEmpty(options.account),
    ...entered,
    channel: options.channel ?? null,
    crm_key: crmKey ?? undefined,
  }
  const context = { db: tx, now: () => now }
  const created = await createAccount(context, instanceId, input, actorSession, 'PENDING')
  return { accountId: created.id, details }
}

function withoutEmpty(account: Exclude<PaymentLinkOptions['account'], string>): PayerDetails {
  return Object.fromEntries(Object.entries(account ?? {}).filter(([, value]) => value != null))
}
