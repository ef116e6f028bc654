import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { activateAccount } from '../accounts/activate.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { forgetLater } from '../payment-methods/forget.ts'
import type { Consent } from '../payment-methods/consent.ts'
import { savePaymentMethod } from '../payment-methods/save.ts'
import { toOutcome } from '../payments/outcome.ts'
import { sanitizeResponse } from '../payments/processor-response.ts'
import type { ProcessorResponse } from '../processors/port.ts'
import { findMethodSetup, lockOpenSetup, updateMethodSetup } from './store.ts'

type Approved = Extract<ProcessorResponse, { status: 'APPROVED' }>

/**
 * Records a processor's response to a set-up: the method that it saved, and what that method is for, in
 * one transaction. What was saved for a set-up that is over, or that the payer has left, is forgotten at
 * the processor. With `setAside`, the payer has left a challenge: one that goes on without a final
 * outcome counts for nothing any more.
 */
export async function settleSetup(
  deps: Deps,
  id: string,
  received: ProcessorResponse,
  { setAside = false } = {},
): Promise<void> {
  const { response, invalidFields } = sanitizeResponse(received)
  if (invalidFields.length > 0) {
    const malformed = invalidFields.join(' ')
    deps.log.warn({ operation: id, malformed }, 'a processor’s answer was kept in part')
  }
  const afterCommit = await inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    const setup = await lockOpenSetup(tx, id, formatInstant(now))
    if (setup) return recordOutcome(deps, tx, setup, requireStored(response), { setAside, now })
    await forgetLateMethod(tx, id, response)
    return undefined
  })
  await afterCommit?.()
}

/** An approval that saved nothing is none. */
function requireStored(response: ProcessorResponse): ProcessorResponse {
  if (response.status !== 'APPROVED' || response.stored) return response
  return { status: 'ERROR', message: 'The processor saved no payment method.' }
}

async function recordOutcome(
  deps: Deps,
  tx: Tx,
  setup: MethodSetupRow,
  response: ProcessorResponse,
  { setAside, now }: { setAside: boolean; now: number },
): ReturnType<Deps['onSetupSettled']> {
  const outcome = toOutcome(response, { checks: setup.checks, now })
  // UNKNOWN does not revert what is known, such as the bank's page that the payer is on.
  if (response.status === 'UNKNOWN' && setup.state !== 'SENT') {
    await updateMethodSetup(tx, setup.id, { next_check: outcome.nextCheck })
    return undefined
  }
  const isLeft = setup.set_aside === 1
  const isLeftNow = setAside && setup.state === 'ACTION' && !outcome.final
  const saved = response.status === 'APPROVED' && !isLeft ? response : undefined
  if (response.status === 'APPROVED' && isLeft) await forgetStored(tx, setup, response)
  // Every transaction locks the account first, and the method last.
  if (saved) {
    await activateAccount(tx, setup.account_id, now)
    await deps.lockSetup(tx, setup)
  }
  const payment_method_id = saved ? await saveMethod(tx, setup, saved, now) : null
  const method = 'method' in response ? response.method : undefined
  const change = {
    state: outcome.attempt,
    status: saved ? 'SUCCESS' : outcome.final ? 'DECLINE' : 'PENDING',
    set_aside: isLeftNow ? 1 : setup.set_aside,
    payment_method_id,
    method_brand: method?.brand ?? setup.method_brand,
    method_last4: method?.last4 ?? setup.method_last4,
    action_url: response.status === 'ACTION' ? response.url : null,
    action_expires: response.status === 'ACTION' ? (response.expires ?? null) : null,
    message_id: outcome.messageId,
    decline_code: outcome.declineCode,
    gateway_status: outcome.gateway,
    gateway_message: outcome.gatewayMessage,
    gateway_reference: outcome.reference ?? setup.gateway_reference,
    next_check: outcome.nextCheck,
    updated: formatInstant(now),
  } as const
  await updateMethodSetup(tx, setup.id, change)
  return deps.onSetupSettled(deps, tx, { ...setup, ...change }, now)
}

function saveMethod(
  tx: Tx,
  setup: MethodSetupRow,
  approved: Approved,
  now: number,
): Promise<string> {
  const kept = {
    instanceId: setup.instance_id,
    accountId: setup.account_id,
    processor: setup.processor,
    type: setup.method_type,
    reusable: true,
    consent: JSON.parse(setup.consent) as Consent,
    agreed: setup.created,
    checkout: setup.session_id.startsWith('ck_') ? setup.session_id : null,
  }
  return savePaymentMethod(tx, kept, approved, now)
}

/** Approved after it was declined or canceled here. */
async function forgetLateMethod(tx: Tx, id: string, response: ProcessorResponse): Promise<void> {
  const setup = response.status === 'APPROVED' ? await findMethodSetup(tx, 'id', id) : undefined
  if (setup?.status === 'DECLINE') await forgetStored(tx, setup, response as Approved)
}

async function forgetStored(
  tx: Tx,
  { instance_id, processor }: MethodSetupRow,
  { stored }: Approved,
): Promise<void> {
  if (stored) await forgetLater(tx, { instance_id, processor, processor_token: stored.token })
}
