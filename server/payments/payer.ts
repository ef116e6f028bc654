import type { Instance } from '../db/tables/instances.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import {
  type AccountRow,
  lockAccount,
  lockAccountByCrmKey,
  requireInUse,
} from '../accounts/store.ts'
import { changeAccount } from '../accounts/change.ts'
import { createAccount } from '../accounts/create.ts'
import type { Tx } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import type { ResolvedMethod } from './payment-method.ts'

export interface Payer {
  accountId: string | null
  timezone: string | null
}

/**
 * Returns the account of a merchant's payment request: by its id; by its `crm_key`, and then the
 * request's details change it; a new one; or the stored method's. Throws a 400 ApiError for an
 * account that does not exist or does not own the method.
 */
export async function resolvePayer(
  deps: { db: Tx; now: () => number },
  input: { instance: Instance; request: PaymentRequest; method: ResolvedMethod; by: string },
): Promise<Payer> {
  const { method } = input
  const account = await resolveAccount(deps, input)
  if (method.stored && account && account.id !== method.stored.account_id) {
    throw invalid('payment.payment_method', 'belongs to another account')
  }
  if (method.save && !account) {
    throw invalid('payment.account', 'is required to save the payment method')
  }
  return {
    accountId: account?.id ?? method.stored?.account_id ?? null,
    timezone: account?.timezone ?? null,
  }
}

async function resolveAccount(
  deps: { db: Tx; now: () => number },
  { instance, request, method, by }: Parameters<typeof resolvePayer>[1],
): Promise<AccountRow | undefined> {
  const requested = request.account
  if (requested == null) {
    const owner = method.stored?.account_id
    const account = owner === undefined ? undefined : await lockAccount(deps.db, instance.id, owner)
    if (account) requireInUse(account)
    return account
  }
  if (typeof requested === 'string') {
    const account = await lockAccount(deps.db, instance.id, requested)
    if (!account) throw invalid('payment.account', 'does not exist')
    requireInUse(account)
    return account
  }
  const { crm_key: key, ...details } = requested
  const found = key == null ? undefined : await lockAccountByCrmKey(deps.db, instance.id, key)
  const existing = found && (await lockAccount(deps.db, instance.id, found.id))
  if (existing) requireInUse(existing)
  return existing
    ? changeAccount(deps, instance.id, existing.id, {
        change: details,
        by,
        path: 'payment.account',
      })
    : createAccount(
        deps,
        instance.id,
        { crm_key: key ?? undefined, channel: request.channel, ...details },
        by,
      )
}
