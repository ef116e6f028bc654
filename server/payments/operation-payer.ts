import type { ClientInfo } from '../actor-sessions/store.ts'
import type { PayerRecord } from '../../shared/schemas/payer.ts'
import { type AccountRow, findAccount } from '../accounts/store.ts'
import { findContent } from '../legal-entities/store.ts'
import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { Deps } from '../deps.ts'
import type { PaymentOperation, Processor } from '../processors/port.ts'
import { serializePayer } from './serialize-payer.ts'

type OperationPayer = Pick<
  PaymentOperation,
  'initiator' | 'payer' | 'payment_reference' | 'statement_descriptor' | 'description'
>

/** Statements and dashboards show no more. */
const DESCRIPTION_LENGTH_MAX = 200

/**
 * Returns what a processor is told about a payment and its payer. A processor that is built in uses none
 * of it, so nothing is read for it. `client` is the payer's browser; undefined when the payer is away.
 */
export async function operationPayer(
  deps: Pick<Deps, 'db' | 'processors'>,
  payment: PaymentRow,
  {
    processor,
    save,
    client,
  }: { processor: Processor; save: boolean; client?: ClientInfo | undefined },
): Promise<OperationPayer> {
  const isBuiltIn = deps.processors.builtIn.has(processor.id)
  const account =
    isBuiltIn || payment.account_id === null
      ? undefined
      : await findAccount(deps.db, payment.instance_id, payment.account_id)
  const { instance_id, legal_entity_version } = payment
  const legalEntity = await findContent(deps.db, instance_id, legal_entity_version)
  return {
    initiator: client === undefined ? 'MERCHANT' : 'PAYER',
    payer: {
      account: payment.account_id,
      saved_token: save && account ? await findSavedToken(deps, account.id, processor.id) : null,
      ...payerFacts(serializePayer(payment.payer_details), account),
      ip: client?.ip ?? null,
      user_agent: client?.userAgent ?? null,
    },
    payment_reference: payment.reference,
    statement_descriptor: legalEntity?.statement_descriptor ?? null,
    description: [payment.description, payment.reference]
      .filter(Boolean)
      .join(' ')
      .slice(0, DESCRIPTION_LENGTH_MAX),
  }
}

/** Returns what a processor is told about the payer whose method is saved without a payment. */
export async function setupPayer(
  deps: Pick<Deps, 'db' | 'processors'>,
  { instance_id, account_id, processor, payer_details }: MethodSetupRow,
  client: ClientInfo,
): Promise<PaymentOperation['payer']> {
  const account = deps.processors.builtIn.has(processor)
    ? undefined
    : await findAccount(deps.db, instance_id, account_id)
  return {
    account: account_id,
    saved_token: account ? await findSavedToken(deps, account_id, processor) : null,
    ...payerFacts(serializePayer(payer_details), account),
    ip: client.ip ?? null,
    user_agent: client.userAgent ?? null,
  }
}

/** What the payer entered counts before what their account has. */
function payerFacts(
  entered: PayerRecord | null,
  account: AccountRow | undefined,
): Pick<PaymentOperation['payer'], 'name' | 'email' | 'country'> {
  const name = [
    entered?.first_name ?? account?.first_name,
    entered?.last_name ?? account?.last_name,
  ]
  return {
    name: name.filter(Boolean).join(' ') || null,
    email: entered?.email ?? account?.email ?? null,
    country: entered?.address?.country ?? null,
  }
}

async function findSavedToken(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  processor: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('payment_methods')
    .select('processor_token')
    .where('account_id', '=', accountId)
    .where('processor', '=', processor)
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.processor_token ?? null
}
