import { findCharge } from '../charges/store.ts'
import { getCheckout } from '../checkouts/store.ts'
import { findContract } from '../contracts/store.ts'
import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { RefundRow } from '../db/tables/refunds.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps, SettledAttempt } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { getLink } from '../payment-links/store.ts'
import { isPayerAttempt, type PayerAttempt } from '../payments/attempts.ts'
import { getRefund } from '../payments/refunds.ts'
import { findMail, queueMail } from './outbox.ts'
import { accountLocale } from './payer-locale.ts'

/** Queues the mail about an outcome, in the transaction that records it. */
export async function queueSettled(deps: Deps, tx: Tx, settled: SettledAttempt): Promise<void> {
  const { attempt, payment } = settled
  if (deps.config.mail === undefined || attempt.state !== 'DONE') return
  if (attempt.kind === 'REFUND') {
    const id = attempt.refund_id as string
    await queueRefund(deps, tx, await getRefund(tx, attempt.instance_id, id))
  } else if (isPayerAttempt(attempt)) {
    if (payment.status === 'SUCCESS') await queueReceipt(deps, tx, { ...settled, attempt })
  } else if (attempt.kind === 'PAY' && payment.status === 'SUCCESS') {
    await queueCollectionReceipt(deps, tx, payment)
  } else if (attempt.kind === 'PAY' && payment.status === 'DECLINE') {
    await queueCollectionFailed(deps, tx, settled)
  }
}

/** A second payment of a paid link is refunded, and has no receipt. */
async function queueReceipt(
  deps: Deps,
  tx: Tx,
  { attempt, payment }: SettledAttempt & { attempt: PayerAttempt },
): Promise<void> {
  const link = await getLink(tx, attempt.instance_id, attempt.payment_link_id)
  if (link.payment_id !== payment.id || !parseLinkContent(link).options.receipt_email) return
  const { language, branding, timezone } = await getCheckout(tx, attempt.checkout_id)
  await queueMail(deps, tx, {
    instance_id: payment.instance_id,
    kind: 'RECEIPT',
    subject: payment.id,
    record_id: payment.id,
    language,
    branding: branding ?? '',
    timezone,
  })
}

/** Queues the receipt of a free trial that has begun, in the transaction that begins its contract. */
export async function queueTrial(deps: Deps, tx: Tx, setup: MethodSetupRow): Promise<void> {
  const { id, instance_id, session_id, payment_link_id: linkId, status } = setup
  if (deps.config.mail === undefined || linkId === null || status !== 'SUCCESS') return
  const link = await getLink(tx, instance_id, linkId)
  if (link.contract_id === null || !parseLinkContent(link).options.receipt_email) return
  const { language, branding, timezone } = await getCheckout(tx, session_id)
  await queueMail(deps, tx, {
    instance_id,
    kind: 'TRIAL',
    subject: link.contract_id,
    record_id: id,
    language,
    branding: branding ?? '',
    timezone,
  })
}

/** A payer who asked for the receipt of a contract's first payment gets those of the later ones. */
async function queueCollectionReceipt(deps: Deps, tx: Tx, payment: PaymentRow): Promise<void> {
  const { id, instance_id, contract_id, account_id } = payment
  const contract =
    contract_id === null ? undefined : await findContract(tx, instance_id, contract_id)
  if (contract?.payment_link_id == null) return
  const link = await getLink(tx, instance_id, contract.payment_link_id)
  if (!parseLinkContent(link).options.receipt_email) return
  const instance = await getInstance(tx, instance_id)
  await queueMail(deps, tx, {
    instance_id,
    kind: 'RECEIPT',
    subject: id,
    record_id: id,
    ...(await accountLocale(tx, instance, account_id)),
  })
}

/** Queues the mail about a refund if its payment has a receipt by mail, in the language of that. */
export async function queueRefund(
  deps: Pick<Deps, 'config' | 'realNow'>,
  tx: Tx,
  refund: RefundRow,
): Promise<void> {
  if (deps.config.mail === undefined || refund.status !== 'SUCCESS') return
  const receipt = await findMail(tx, { kind: 'RECEIPT', subject: refund.refunded_id })
  if (!receipt) return
  const { instance_id, language, branding, timezone } = receipt
  await queueMail(deps, tx, {
    instance_id,
    kind: 'REFUND',
    subject: refund.id,
    record_id: refund.id,
    language,
    branding,
    timezone,
  })
}

/** Collections are the scheduler's. After a restore one may have succeeded already. */
async function queueCollectionFailed(
  deps: Deps,
  tx: Tx,
  { attempt, payment }: SettledAttempt,
): Promise<void> {
  if (payment.charge_id === null || attempt.restored === 1) return
  const charge = await findCharge(tx, payment.instance_id, payment.charge_id)
  if (charge?.status !== 'ACTIVE' || charge.attempts === 0) return
  const instance = await getInstance(tx, payment.instance_id)
  await queueMail(deps, tx, {
    instance_id: payment.instance_id,
    kind: 'COLLECTION_FAILED',
    subject: payment.id,
    record_id: payment.id,
    ...(await accountLocale(tx, instance, payment.account_id)),
  })
}
