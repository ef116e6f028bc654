import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import { redirectUrl } from '../../shared/rules/after-payment.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import type { DeepLinkTask } from '../../shared/schemas/deep-link-task.ts'
import { findContract } from '../contracts/store.ts'
import { fromJson } from '../db/json.ts'
import { parseOptions } from '../deep-links/validate.ts'
import type { Deps } from '../deps.ts'
import { findNewestMethodSetup } from '../method-setups/store.ts'
import { findPaymentMethod } from '../payment-methods/store.ts'
import type { TaskSession } from './session.ts'

/** Returns the task as its page shows it: nothing of it identifies the customer. */
export async function buildTask(
  deps: Pick<Deps, 'db' | 'now'>,
  { session, link, instance }: TaskSession,
): Promise<DeepLinkTask> {
  const setup = await findNewestMethodSetup(deps.db, session.id)
  const saved = setup?.status === 'SUCCESS' ? setup.payment_method_id : null
  return {
    action: link.action,
    contract: await buildContract(deps, instance.id, link.contract_id),
    allow: fromJson<DeepLinkTask['allow']>(link.allow) ?? [],
    result: setup
      ? { ...resultOf(setup), payment_method: await shownMethod(deps, instance.id, saved) }
      : null,
    return_url: returnUrl({ link, instance }, saved),
  }
}

/**
 * Returns where the customer goes back to the merchant: at any time from a contract, otherwise once a method
 * is saved. Null without a `success_url`.
 */
function returnUrl(
  { link, instance }: Pick<TaskSession, 'link' | 'instance'>,
  saved: string | null,
): string | null {
  const target = parseOptions(link).success_url
  if (target == null || redirectTargetProblem(target, instance.mode === 'TEST')) return null
  if (link.action === 'ADD_PAYMENT_METHOD' && saved === null) return null
  return redirectUrl(target, {
    status: saved === null ? null : 'COMPLETED',
    deep_link: link.id,
    contract: link.contract_id,
    payment_method: saved,
    account: link.account_id,
  })
}

async function buildContract(
  deps: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  id: string | null,
): Promise<DeepLinkTask['contract']> {
  const contract = id === null ? undefined : await findContract(deps.db, instanceId, id)
  if (!contract) return null
  const { description, amount, currency, frequency, interval, next_due, status } = contract
  return {
    description,
    amount: amountText(amount, currency),
    currency,
    currency_digits: currencyDigits(currency) ?? 2,
    frequency,
    interval,
    next_due: status === 'ACTIVE' ? next_due : null,
    status,
    payment_method: await shownMethod(deps, instanceId, contract.payment_method_id),
  }
}

async function shownMethod(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  id: string | null,
) {
  const method = id === null ? undefined : await findPaymentMethod(db, instanceId, id, now())
  if (!method) return null
  const { type, brand, last4, status_at } = method
  return { type, brand, last4, expired: status_at !== 'ACTIVE' }
}

function resultOf(
  setup: MethodSetupRow,
): Omit<NonNullable<DeepLinkTask['result']>, 'payment_method'> {
  const { message_id, action_url } = setup
  switch (setup.state) {
    case 'ACTION':
      return { outcome: 'ACTION', message_id, action_url }
    case 'DONE':
      return setup.status === 'SUCCESS'
        ? { outcome: 'SAVED', message_id: null, action_url: null }
        : { outcome: 'DECLINED', message_id, action_url: null }
    case 'SENT':
    case 'PENDING':
    case 'UNRESOLVED':
      return { outcome: 'PENDING', message_id: null, action_url: null }
  }
}
