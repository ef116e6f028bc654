import type { ContractRow } from '../db/tables/contracts.ts'
import type { Db, Tx } from '../db/tables.ts'
import { fromJson } from '../db/json.ts'
import { createUncollectedCharges } from '../charges/recurring-charges.ts'
import { createContract, type NewContract } from '../contracts/create.ts'
import { daysLater } from '../contracts/next-due.ts'
import { findMethodSetup } from '../method-setups/store.ts'
import { type Consent, consentRecord } from '../payment-methods/consent.ts'
import { isTrialSetup, type TrialSetup } from './submission.ts'

/** The contract that a payer has agreed to, as it is stored with the set-up of their method. */
export interface TrialAgreement extends Pick<
  NewContract,
  'amount' | 'currency' | 'description' | 'altKey' | 'recurring' | 'timezone' | 'by'
> {
  legalEntityId: string | null
  /** What the receipt shows of the legal entity. */
  legalEntityVersion: string | null
}

export function parseAgreement({ agreement }: Pick<TrialSetup, 'agreement'>): TrialAgreement {
  return JSON.parse(agreement) as TrialAgreement
}

/** Returns the set-up of a free trial and what its payer agreed to. For ids that a stored row refers to. */
export async function getTrial(
  db: Db | Tx,
  id: string,
): Promise<{ setup: TrialSetup; agreed: TrialAgreement }> {
  const setup = await findMethodSetup(db, 'id', id)
  if (!setup || !isTrialSetup(setup)) throw new Error(`there is no free trial ${id}`)
  return { setup, agreed: parseAgreement(setup) }
}

/**
 * Creates the contract of a set-up that has saved its method. The free period begins now, also where the
 * processor has answered late, so that it is never shorter than agreed. After a restore the contract may
 * have charged already, so its charges since are suspended.
 */
export async function beginTrial(tx: Tx, setup: TrialSetup, now: number): Promise<ContractRow> {
  const agreed = parseAgreement(setup)
  const isRestored = setup.restored === 1
  const begins = isRestored ? Date.parse(setup.created) : now
  const contract = await createContract(tx, {
    ...agreed,
    instanceId: setup.instance_id,
    accountId: setup.account_id,
    paymentMethodId: setup.payment_method_id,
    paymentLinkId: setup.payment_link_id,
    anchor: daysLater(begins, agreed.recurring.trial_days ?? 0, agreed.timezone),
    consent: consentRecord(fromJson<Consent>(setup.consent), {
      at: setup.created,
      checkout: setup.session_id,
    }),
    now,
  })
  if (isRestored) await createUncollectedCharges(tx, contract.id, now)
  return contract
}
