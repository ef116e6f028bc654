import { sql } from 'kysely'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { type AccountRow, findAccount } from '../accounts/store.ts'
import { inTransaction } from '../db/transaction.ts'
import { fromJson, toJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { forgetWords } from '../insights/forget.ts'
import { eraseFromTexts } from './erase-from-texts.ts'

/**
 * Removes what is stored of an anonymized account's customer beside the account: what they typed on
 * payment pages, their addresses in the network, the digits of their cards, and copies of all this in
 * events and in stored responses. Safe to repeat.
 */
export async function eraseTraces(deps: Deps, account: AccountRow): Promise<void> {
  const { id, instance_id } = account
  const commented = await inTransaction(deps.db, async (tx) => {
    const links = await listCommentedLinks(tx, account)
    const contracts = await listContractsOf(tx, account, links)
    await erasePayments(tx, account, links)
    await eraseContracts(tx, account, contracts)
    await eraseAgreements(tx, account, links)
    await eraseSessions(tx, account, links)
    await eraseMethods(tx, account)
    await forgetWords(tx, account, deps.now())
    return [...links, ...contracts]
  })
  await eraseFromTexts(deps, account, commented)
  await inTransaction(deps.db, (tx) =>
    tx
      .updateTable('accounts')
      .set({ erasing: null })
      .where('id', '=', id)
      .where('instance_id', '=', instance_id)
      .execute(),
  )
}

/** Finishes what a process left that ended in the middle. */
export async function finishErasures(deps: Deps): Promise<void> {
  const left = await deps.db
    .selectFrom('accounts')
    .select(['id', 'instance_id'])
    .where('erasing', 'is not', null)
    .execute()
  for (const { id, instance_id } of left) {
    const account = await findAccount(deps.db, instance_id, id)
    if (account) await eraseTraces(deps, account)
  }
}

/** Lists the account's links on which payers write the comment themselves. */
async function listCommentedLinks(tx: Tx, { id, instance_id }: AccountRow): Promise<string[]> {
  const links = await tx
    .selectFrom('payment_links')
    .select(['id', 'options'])
    .where('instance_id', '=', instance_id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select(sql<string>`payment_link_id`.as('id'))
        .where('instance_id', '=', instance_id)
        .where('account_id', '=', id)
        .where('payment_link_id', 'is not', null)
        .union((trials) =>
          trials
            .selectFrom('method_setups')
            .select(sql<string>`payment_link_id`.as('id'))
            .where('instance_id', '=', instance_id)
            .where('account_id', '=', id)
            .where('payment_link_id', 'is not', null),
        ),
    )
    .execute()
  return links
    .filter(
      ({ options }) => payerFields(JSON.parse(options) as PaymentLinkOptions).description_editable,
    )
    .map((link) => link.id)
}

async function erasePayments(
  tx: Tx,
  { id, instance_id }: AccountRow,
  commented: readonly string[],
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ payer_details: null, payer_comment: null })
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .execute()
  if (commented.length > 0) {
    await tx
      .updateTable('payments')
      .set({ description: null })
      .where('account_id', '=', id)
      .where('payment_link_id', 'in', commented)
      .execute()
  }
}

/** Lists the contracts that began on these links, whose charges have the payer's comment. */
async function listContractsOf(
  tx: Tx,
  { id, instance_id }: AccountRow,
  links: readonly string[],
): Promise<string[]> {
  if (links.length === 0) return []
  const contracts = await tx
    .selectFrom('contracts')
    .select('id')
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .where('payment_link_id', 'in', links)
    .execute()
  return contracts.map((contract) => contract.id)
}

async function eraseContracts(
  tx: Tx,
  { id }: AccountRow,
  contracts: readonly string[],
): Promise<void> {
  if (contracts.length === 0) return
  const erased = { description: null }
  await tx.updateTable('contracts').set(erased).where('id', 'in', contracts).execute()
  for (const table of ['charges', 'payments'] as const) {
    await tx
      .updateTable(table)
      .set(erased)
      .where('account_id', '=', id)
      .where('contract_id', 'in', contracts)
      .execute()
  }
}

/** What the payer of a free trial agreed to has their comment, for the contract. */
async function eraseAgreements(
  tx: Tx,
  { id }: AccountRow,
  commented: readonly string[],
): Promise<void> {
  if (commented.length === 0) return
  const trials = await tx
    .selectFrom('method_setups')
    .select(['id', 'agreement'])
    .where('account_id', '=', id)
    .where('payment_link_id', 'in', commented)
    .execute()
  for (const trial of trials) {
    const agreement = toJson({ ...fromJson<object>(trial.agreement), description: null })
    await tx.updateTable('method_setups').set({ agreement }).where('id', '=', trial.id).execute()
  }
}

async function eraseSessions(
  tx: Tx,
  { id, instance_id, created_session }: AccountRow,
  commented: readonly string[],
): Promise<void> {
  const sessions = tx
    .selectFrom('checkouts')
    .select('id')
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
  await tx
    .updateTable('actor_sessions')
    .set({ ip: null, user_agent: null, fingerprint: sql`id` })
    .where('type', '=', 'CHECKOUT')
    .where('instance_id', '=', instance_id)
    .where((eb) =>
      eb.or([
        eb('checkout_id', 'in', sessions),
        ...(created_session === null ? [] : [eb('id', '=', created_session)]),
      ]),
    )
    .execute()
  if (commented.length > 0) {
    await tx
      .updateTable('checkouts')
      .set({ description: null })
      .where('id', 'in', sessions)
      .where('payment_link_id', 'in', commented)
      .execute()
  }
  await tx
    .updateTable('checkouts')
    .set({ payer_comment: null, network: null, prefill: null })
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .execute()
}

async function eraseMethods(tx: Tx, { id, instance_id }: AccountRow): Promise<void> {
  await tx
    .updateTable('payment_methods')
    .set({ last4: null, exp_month: null, exp_year: null, country: null, fingerprint: sql`id` })
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .execute()
  await tx
    .updateTable('method_setups')
    .set({ method_last4: null, action_url: null, gateway_message: null, payer_details: null })
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .execute()
  await tx
    .updateTable('attempts')
    .set({ method_last4: null, action_url: null })
    .where('instance_id', '=', instance_id)
    .where('payment_id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('instance_id', '=', instance_id)
        .where('account_id', '=', id),
    )
    .execute()
}
