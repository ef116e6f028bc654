import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { newId, randomBase64url } from '../ids.ts'
import type { Consent } from '../payment-methods/consent.ts'
import { callDeadline, callProcessor } from '../payments/call-processor.ts'
import { setupPayer } from '../payments/operation-payer.ts'
import type { SetupOperation } from '../processors/port.ts'
import { settleSetup } from './settle.ts'
import {
  findMethodSetup,
  findMethodSetupByKey,
  insertMethodSetup,
  setAsideOpenSetups,
} from './store.ts'

export interface NewMethodSetup {
  instanceId: string
  accountId: string
  /** The session of the payer, and their key of one press of the button. */
  sessionId: string
  attemptKey: string
  /** Keyed digest of the request, which recognizes a repeat. */
  requestHash: string
  /** Path of the page to which the payer returns from a bank. */
  page: string
  processor: string
  method: SetupOperation['method']
  consent: Consent
  /** The payer's address and browser. */
  client: ClientInfo
  /** What the merchant sees in the processor's dashboard. */
  description: string
  /** Earlier sessions of the same purpose, whose open set-ups this one replaces too. */
  earlierSessions?: readonly string[]
  /**
   * Admits the set-up in the transaction that stores it, or throws. `replaced` is the number of open ones
   * that it replaces, whose rows are locked.
   */
  admit?: (tx: Tx, replaced: number) => Promise<void>
  /** Of a set-up that begins a contract. */
  trial?: Pick<MethodSetupRow, 'payment_link_id' | 'agreement' | 'payer_details'>
}

/**
 * Saves a method of an account without taking money. The set-up is stored before the processor is called,
 * and its outcome before it is returned. A repeat of an `attemptKey` returns the first set-up as it is.
 * A set-up whose outcome is not known blocks nothing: the payer may try again, and what an earlier one
 * of the session saves later is forgotten. Throws INVALID_REQUEST for a key of another request.
 */
export async function setUpMethod(deps: Deps, given: NewMethodSetup): Promise<MethodSetupRow> {
  const first = await findRepeated(deps, given)
  if (first) return first
  const setup = newMethodSetup(deps, given, deps.now())
  try {
    await inTransaction(deps.db, async (tx) => {
      const sessions = [given.sessionId, ...(given.earlierSessions ?? [])]
      const replaced = await setAsideOpenSetups(tx, sessions)
      await given.admit?.(tx, replaced)
      await insertMethodSetup(tx, setup)
    })
  } catch (error) {
    // Stored by another request meanwhile, which may also be why this one is not admitted.
    const repeated = await findRepeated(deps, given)
    if (repeated) return repeated
    throw error
  }
  await runSetup(deps, setup, { ...given, returnUrl: setupReturnUrl(deps, setup) })
  return (await findMethodSetup(deps.db, 'id', setup.id)) ?? setup
}

/** Asks the processor for a set-up that is stored, and settles it with the response. */
export async function runSetup(
  deps: Deps,
  setup: MethodSetupRow,
  {
    method,
    client,
    description,
    returnUrl,
  }: Pick<NewMethodSetup, 'method' | 'client' | 'description'> & { returnUrl: string },
): Promise<void> {
  deps.failpoint('setup-stored')
  const response = await callProcessor(deps, setup.id, async (signal) => {
    const processor = await deps.processors.get({ ...setup })
    if (!processor?.setup) return { status: 'ERROR', message: 'processor is not configured' }
    return processor.setup({
      merchant: setup.instance_id,
      operation: setup.id,
      method,
      return_url: returnUrl,
      payer: await setupPayer(deps, setup, client),
      payment_reference: setup.id,
      description,
      signal,
    })
  })
  deps.failpoint('setup-answered')
  await settleSetup(deps, setup.id, response)
  deps.failpoint('setup-settled')
}

async function findRepeated(
  { db }: Pick<Deps, 'db'>,
  { sessionId, attemptKey, requestHash }: NewMethodSetup,
): Promise<MethodSetupRow | undefined> {
  const first = await findMethodSetupByKey(db, sessionId, attemptKey)
  if (first && first.request_hash !== requestHash) {
    throw invalid('attempt_key', 'was used for another submission')
  }
  return first
}

/** Returns the URL that the bank sends the payer back to. */
function setupReturnUrl({ config }: Pick<Deps, 'config'>, { handle }: MethodSetupRow): string {
  return `${config.baseUrl}/pay/setups/${handle}/return`
}

/** Returns a set-up that is about to be stored. `now` is epoch milliseconds. */
export function newMethodSetup(
  deps: Pick<Deps, 'config'>,
  given: Omit<NewMethodSetup, 'client' | 'description'>,
  now: number,
): MethodSetupRow {
  const created = formatInstant(now)
  return {
    id: newId('st', now),
    instance_id: given.instanceId,
    account_id: given.accountId,
    session_id: given.sessionId,
    attempt_key: given.attemptKey,
    request_hash: given.requestHash,
    handle: randomBase64url(24),
    page: given.page,
    processor: given.processor,
    method_type: given.method.type,
    consent: JSON.stringify(given.consent),
    state: 'SENT',
    status: 'PENDING',
    set_aside: 0,
    payment_link_id: null,
    agreement: null,
    payer_details: null,
    ...given.trial,
    returned: null,
    gateway_status: null,
    decline_code: null,
    restored: 0,
    payment_method_id: null,
    method_brand: null,
    method_last4: null,
    action_url: null,
    action_expires: null,
    message_id: 'status.checking',
    gateway_message: null,
    gateway_reference: null,
    // If this process dies, the job queries the processor once the call has ended.
    next_check: formatInstant(callDeadline(deps, now)),
    checks: 0,
    created,
    updated: created,
  }
}
