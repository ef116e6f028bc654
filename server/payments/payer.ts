import type { Instance } from '../db/rows.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import { type AccountRow, findAccount, lockAccountByCrmKey } from '../accounts/store.ts'
import { changeAccount, createAccount } from '../accounts/write.ts'
import type { Tx } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import type { ResolvedMethod } from './payment-method.ts'

/** Whose payment it is. */
export interface Payer {
  accountId: string | null
  timezone: string | null
}

/**
 * The account of a merchant's payment request (contract section 10.1): the one that is named by its
 * id; or by its `crm_key`, and then the given details change it, since the merchant is the one who
 * knows; or a new one; or the stored method's. Throws a 400 ApiError for one that does not exist or
 * is not the method's.
 */
export async function parsePayer(
  deps: { db: Tx; now: () => number },
  from: { instance: Instance; request: PaymentRequest; method: ResolvedMethod; by: string },
): Promise<Payer> {
  const { method } = from
  const account = await accountOf(deps, from)
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

async function accountOf(
  deps: { db: Tx; now: () => number },
  { instance, request, method, by }: Parameters<typeof parsePayer>[1],
): Promise<AccountRow | undefined> {
  const given = request.account
  if (given == null) {
    const owner = method.stored?.account_id
    return owner === undefined ? undefined : findAccount(deps.db, instance.id, owner)
  }
  if (typeof given === 'string') {
    const named = await findAccount(deps.db, instance.id, given)
    if (!named) throw invalid('payment.account', 'does not exist')
    return named
  }
  const { crm_key: key, ...details } = given
  const known = key == null ? undefined : await lockAccountByCrmKey(deps.db, instance.id, key)
  return known
    ? changeAccount(deps, instance.id, known.id, { change: details, by, path: 'payment.account' })
    : createAccount(
        deps,
        instance.id,
        { crm_key: key ?? undefined, channel: request.channel, ...details },
        by,
      )
}
