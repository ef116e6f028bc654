import { sql } from 'kysely'
import type { ChargeRow, ContractRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { SYSTEM, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { dueAfter } from '../contracts/next-due.ts'
import { lockContract, listDueContracts } from '../contracts/store.ts'
import { recordContractChange } from '../contracts/update-contract.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { skipCollection } from './collection-schedule.ts'
import { createCharge } from './create.ts'

/** Charges that contracts make (contract section 11). */

const BATCH = 50
/** So that a long downtime does not keep one round busy for ever; the next one goes on. */
const ROUNDS_MAX = 20

/**
 * Makes the next charge of a contract, due when the contract says, and moves the contract on to the
 * one after it, or ends it when that was the last. Undefined when the contract is not active or was
 * moved on by somebody else since it was read, who then made the charge. `by` is the session of
 * whoever asks, `now` is epoch milliseconds.
 */
export async function nextChargeOfContract(
  tx: Tx,
  contract: ContractRow,
  at: { by: string | null; now: number; scheduledPaymentId?: string | null },
): Promise<ChargeRow | undefined> {
  const { next_due: due } = contract
  if (due === null) return undefined
  const advanced = await advance(tx, contract, due, at)
  if (!advanced) return undefined
  const charge = await createCharge(tx, {
    instanceId: advanced.instance_id,
    accountId: advanced.account_id,
    contract: advanced,
    contractN: advanced.charges_total,
    amount: advanced.amount,
    currency: advanced.currency,
    due,
    altKey: advanced.alt_key,
    description: advanced.description,
    paymentMethodId: advanced.payment_method_id,
    scheduledPaymentId: at.scheduledPaymentId,
    by: at.by,
    now: at.now,
  })
  await recordContractChange(tx, contract.status, advanced, at.now)
  return charge
}

/** One statement decides who makes the charge: the contract is as it was read, or it is not. */
async function advance(
  tx: Tx,
  contract: ContractRow,
  due: string,
  { by, now }: { by: string | null; now: number },
): Promise<ContractRow | undefined> {
  const number = contract.charges_total + 1
  const next = dueAfter(contract, Date.parse(due))
  const isLast =
    next === undefined ||
    (contract.count !== null && number >= contract.count) ||
    (contract.until !== null && next > contract.until)
  return tx
    .updateTable('contracts')
    .set({
      charges_total: number,
      next_due: isLast ? null : next,
      ...(isLast ? { status: 'ENDED' as const } : {}),
      ...(by === null ? {} : { updated_session: by }),
      updated: formatInstant(now),
      v: sql<number>`v + 1`,
    })
    .where('id', '=', contract.id)
    .where('instance_id', '=', contract.instance_id)
    .where('status', '=', 'ACTIVE')
    .where('charges_total', '=', contract.charges_total)
    .where('next_due', '=', due)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Makes every charge of a contract that has fallen due, without a plan to collect it: after a
 * restore it may have been collected already, and nobody here can know.
 */
export async function makeChargesOnHold(tx: Tx, contractId: string, now: number): Promise<void> {
  for (;;) {
    const contract = await lockContract(tx, contractId)
    if (contract.next_due === null || contract.next_due > formatInstant(now)) return
    const charge = await nextChargeOfContract(tx, contract, { by: null, now })
    if (!charge) return
    await skipCollection(tx, charge, now)
  }
}

/**
 * Makes every charge that has fallen due, of all contracts, those included that fell due while no
 * server was running; with `shut`, also of instances that are disabled;
 * with `moved`, those of the instance of that id, whose clock was moved. Several processes may do
 * this at the same time. Answers how many it made.
 */
export async function makeDueCharges(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  { shut = false, moved }: { shut?: boolean; moved?: string } = {},
): Promise<number> {
  const failed = new Set<string>()
  let total = 0
  let after: ContractRow | undefined
  for (let rounds = 0; rounds < ROUNDS_MAX;) {
    const page = { limit: BATCH, shut, after, moved }
    const due = await listDueContracts(deps.db, formatInstant(deps.now()), page)
    let made = 0
    for (const contract of due) {
      if (!failed.has(contract.id)) made += await makeNext(deps, contract, failed)
    }
    total += made
    if (made > 0) rounds += 1
    // Nothing is due, or others are at it: the next run is early enough.
    else if (due.length < BATCH) break
    // All of these failed, and must not hide those behind them.
    else after = due.at(-1)
  }
  return total
}

/**
 * How many were made: 1, or 0 when somebody else did, or when it failed, which is noted in `failed`.
 */
async function makeNext(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  contract: ContractRow,
  failed: Set<string>,
): Promise<number> {
  try {
    const by = await findOrCreateActorSession(deps, contract.instance_id, SYSTEM)
    const charge = await inTransaction(deps.db, (tx) =>
      nextChargeOfContract(tx, contract, { by, now: deps.now() }),
    )
    return charge ? 1 : 0
  } catch (error) {
    deps.log.error({ err: error, contract: contract.id }, 'charge of contract was not made')
    failed.add(contract.id)
    return 0
  }
}
