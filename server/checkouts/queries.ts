import type { CheckoutWithBundle, CheckoutWithHistory } from '../db/tables/checkouts.ts'
import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import { CHECKOUT_ID } from '../../shared/rules/ids.ts'
import type { CheckoutRecord } from '../../shared/schemas/checkout-record.ts'
import { batchesOf } from '../db/batches.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tx } from '../db/tables.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { serializeCheckout } from './serialize.ts'

/** Returns a session at `now` (epoch ms). Throws 404 for one that the instance does not have. */
export async function getCheckoutRecord(
  db: Db | Tx,
  instanceId: string,
  id: string,
  now: number,
): Promise<CheckoutRecord> {
  if (!CHECKOUT_ID.test(id)) throw notFound('Checkout')
  const { rows } = await selectOne(db, { instanceId, id })
  const [checkout] = await withAttempts(db, instanceId, rows)
  if (!checkout) throw notFound('Checkout')
  return serializeCheckout(checkout, now)
}

export function listCheckouts(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<CheckoutWithBundle>> {
  return readPage(turn, list, (db) => ofInstance(db, instanceId).where(list.where))
}

const selectOne = compiledQuery((db: Db, { instanceId, id }: { instanceId: string; id: string }) =>
  ofInstance(db, instanceId).where('checkouts.id', '=', id),
)

function ofInstance(db: Db | Tx, instanceId: string) {
  return db
    .selectFrom('checkouts')
    .leftJoin('bundles', 'bundles.key', 'checkouts.bundle')
    .selectAll('checkouts')
    .select('bundles.hash as strings_hash')
    .where('checkouts.instance_id', '=', instanceId)
}

export async function withAttempts(
  db: Db | Tx,
  instanceId: string,
  rows: readonly CheckoutWithBundle[],
): Promise<CheckoutWithHistory[]> {
  const checkouts = rows.map((row): CheckoutWithHistory => ({
    ...row,
    attempts: [],
    payer_details: null,
  }))
  const byId = new Map(checkouts.map((checkout) => [checkout.id, checkout]))
  for (const batch of batchesOf([...byId.keys()])) {
    const { rows: payments } = await selectAttempts(db, { instanceId, checkoutIds: batch })
    const { rows: trials } = await selectTrials(db, { instanceId, checkoutIds: batch })
    const submitted = [...payments, ...trials.map(trialAttempt)]
    for (const { checkout_id, payer_details, ...attempt } of submitted.toSorted(byCreation)) {
      const checkout = byId.get(checkout_id ?? '')
      checkout?.attempts.push(attempt)
      if (checkout) checkout.payer_details = payer_details
    }
  }
  return checkouts
}

type AttemptsOf = { instanceId: string; checkoutIds: readonly string[] }

const selectAttempts = compiledQuery((db: Db, { instanceId, checkoutIds }: AttemptsOf) =>
  db
    .selectFrom('attempts')
    .innerJoin('payments', 'payments.id', 'attempts.payment_id')
    .select(['attempts.checkout_id', 'payments.id as payment', 'payments.status'])
    .select('payments.payer_details')
    .select('attempts.created')
    .where('attempts.checkout_id', 'in', checkoutIds)
    .where('attempts.instance_id', '=', instanceId)
    .where('payments.instance_id', '=', instanceId)
    .orderBy('attempts.created')
    .orderBy('attempts.id'),
)

const selectTrials = compiledQuery((db: Db, { instanceId, checkoutIds }: AttemptsOf) =>
  db
    .selectFrom('method_setups')
    .select(['session_id', 'state', 'status', 'payer_details', 'created'])
    .where('session_id', 'in', checkoutIds)
    .where('instance_id', '=', instanceId)
    .orderBy('created')
    .orderBy('id'),
)

/** Returns a free trial as the attempts of a session have it. */
function trialAttempt({
  session_id,
  state,
  status,
  ...trial
}: Pick<MethodSetupRow, 'session_id' | 'state' | 'status' | 'payer_details' | 'created'>) {
  const isUnresolved = state === 'UNRESOLVED'
  return {
    checkout_id: session_id,
    payment: null,
    status: isUnresolved ? ('UNRESOLVED' as const) : status,
    ...trial,
  }
}

const byCreation = (a: { created: string }, b: { created: string }) =>
  a.created === b.created ? 0 : a.created < b.created ? -1 : 1
