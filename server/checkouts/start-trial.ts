import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { newMethodSetup, type NewMethodSetup, runSetup } from '../method-setups/set-up.ts'
import { insertMethodSetup } from '../method-setups/store.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import {
  type AttemptContext,
  type ClaimedSubmit,
  claimSubmit,
  type LinkedContext,
  type Refusal,
  requestHash,
} from './claim-submit.ts'
import { readConsent } from './consent.ts'
import { returnUrl } from './submit-response.ts'
import type { TrialAgreement } from './trial-agreement.ts'

/** Whether a link begins its contract with a free period, so that its submit takes no money. */
export function isTrial({ link }: Pick<AttemptContext, 'link'>): boolean {
  return parseLinkContent(link).options.recurring?.trial_days != null
}

/**
 * Begins a free trial: claims the link and stores the set-up of the method with what the payer agreed to,
 * then asks the processor to save the method. Its success makes the contract. Returns the id of the
 * set-up, or why nothing was stored; undefined when the claim failed.
 */
export async function startTrial(
  deps: Deps,
  unlinked: AttemptContext,
): Promise<{ id: string } | Refusal | undefined> {
  const now = deps.now()
  const id = newId('st', now)
  const method = unlinked.method.charge as NewMethodSetup['method']
  const setup = await claimSubmit(deps, unlinked, { id, now, taken: 0 }, (tx, context, claimed) =>
    storeSetup(deps, tx, context, claimed, { id, now }),
  )
  if (typeof setup !== 'object') return setup
  const { client, checkout } = unlinked
  const description = checkout.merchant
  await runSetup(deps, setup, { method, client, description, returnUrl: returnUrl(deps, setup) })
  return setup
}

async function storeSetup(
  deps: Deps,
  tx: Tx,
  context: LinkedContext,
  claimed: ClaimedSubmit,
  { id, now }: { id: string; now: number },
): Promise<MethodSetupRow> {
  const { instance, link, checkout, request, method } = context
  const { accountId, details } = claimed.payer
  const consent = readConsent(context, null)
  // A trial saves its method, which has an account, and its payer has read the consent to the contract.
  if (accountId === null || consent === null) throw new Error('a free trial has no account')
  const setup = newMethodSetup(
    deps,
    {
      instanceId: instance.id,
      accountId,
      sessionId: checkout.id,
      attemptKey: request.attempt_key,
      requestHash: requestHash(deps, request),
      page: payUrl('', link.id),
      processor: method.processor,
      method: method.charge as NewMethodSetup['method'],
      consent,
      trial: {
        payment_link_id: link.id,
        agreement: JSON.stringify(agreementOf(context, claimed)),
        payer_details: details,
      },
    },
    now,
  )
  await insertMethodSetup(tx, { ...setup, id })
  return { ...setup, id }
}

function agreementOf(
  { instance, link, checkout, terms, actorSession }: LinkedContext,
  { payee }: ClaimedSubmit,
): TrialAgreement {
  const { recurring } = parseLinkContent(link).options
  return {
    amount: terms.amount,
    currency: terms.currency,
    description: terms.description,
    altKey: terms.altKey,
    recurring: recurring as TrialAgreement['recurring'],
    timezone: checkout.timezone ?? instance.timezone ?? 'UTC',
    legalEntityId: payee.legal_entity_id,
    legalEntityVersion: payee.legal_entity_version,
    by: actorSession ?? null,
  }
}
