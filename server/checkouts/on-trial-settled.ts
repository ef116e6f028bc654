import type { OnSetupSettled } from '../deps.ts'
import type { Tx } from '../db/tables.ts'
import { settleLink, leaveLink, type LinkRelations } from './settle-link.ts'
import { settleSubmit } from './settle-submit.ts'
import { settledTrial } from './settled-submit.ts'
import { isTrialSetup, type TrialSetup } from './submission.ts'
import { beginTrial } from './trial-agreement.ts'

/**
 * Applies the outcome of a free trial's set-up: a saved method begins the contract, and the link names it,
 * without a payment. Leaving the bank's page frees the link; what is saved later counts for nothing.
 * Other set-ups are left.
 */
export const settleTrial: OnSetupSettled = async (deps, tx, setup, now) => {
  if (!isTrialSetup(setup)) return undefined
  const submit = settledTrial(setup)
  const context = { tx, baseUrl: deps.config.baseUrl, now }
  if (setup.set_aside === 1) {
    const isFreed = setup.state !== 'DONE' && (await leaveLink(context, submit))
    return settleSubmit(deps, context, submit, { isOver: !isFreed, amount: 0 })
  }
  await settleLink(context, submit, () => trialRecords(tx, setup, now))
  return settleSubmit(deps, context, submit, { isOver: false, amount: 0 })
}

/** Begins the contract of a set-up that has succeeded. Called once, because an outcome is final. */
async function trialRecords(tx: Tx, setup: TrialSetup, now: number): Promise<LinkRelations> {
  const contract = setup.status === 'SUCCESS' ? await beginTrial(tx, setup, now) : undefined
  return {
    account_id: setup.account_id,
    charge_id: null,
    contract_id: contract?.id ?? null,
    payment_id: null,
    transaction_id: null,
    payment_method_id: setup.payment_method_id,
  }
}
