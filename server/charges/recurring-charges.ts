import { sql } from 'kysely'
import type { ChargeRow } from '../db/tables/charges.ts'
import type { ContractRow } from '../db/tables/contracts.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { SYSTEM, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { nextDueTime } from '../contracts/next-due.ts'
import { lockContract, listDueContracts } from '../contracts/store.ts'
import { recordContractChange } from '../contracts/update-contract.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { skipCollection } from './collection-schedule.ts'
import { createCharge } from './create.ts'

const BATCH = 50
/** After a long downtime the next run of the job continues. */
const ROUNDS_MAX = 20

/**
 * Creates the next charge of a contract and advances the contract, or ends it with its last charge.
 * Returns undefined when the contract is not active or was advanced since it was read. `by` is the id
 * of the caller's session, `now` epoch milliseconds.
 */
export async function createNextCharge(
  tx: Tx,
  contract: ContractRow,
  at: { by: string | null; now: number; scheduledPaymentId?: string | null },
): Promise<ChargeRow | undefined> {
  const { next_due: due } = contract
  if (due === null) return undefined
  const advanced = await advanceContract(tx, contract, due, at)
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

/** One compare-and-set, so that concurrent callers create one charge. */
async function advanceContract(
  tx: Tx,
  contract: ContractRow,
  due: string,
  { by, now }: { by: string | null; now: number },
): Promise<ContractRow | undefined> {
  const number = contract.charges_total + 1
  const next = nextDueTime(contract, Date.parse(due))
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
 * Creates every due charge of a contract without scheduling its collection: after a restore it may
 * have been collected already.
 */
export async function createUncollectedCharges(
  tx: Tx,
  contractId: string,
  now: number,
): Promise<void> {
  for (;;) {
    const contract = await lockContract(tx, contractId)
    if (contract.next_due === null || contract.next_due > formatInstant(now)) return
    const charge = await createNextCharge(tx, contract, { by: null, now })
    if (!charge) return
    await skipCollection(tx, charge, now)
  }
}

/**
 * Creates every due charge of all contracts, including those that fell due while no server was
 * running. With `shut`, disabled instances are included; with `moved`, only the instance with that id
 * counts, whose test clock was moved. Several processes may run this at once. Returns the number of
 * charges created.
 */
export async function createDueCharges(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  { shut = false, moved }: { shut?: boolean; moved?: string } = {},
): Promise<number> {
  const failed = new Set<string>()
  let total = 0
  let after: ContractRow | undefined
  for (let rounds = 0; rounds < ROUNDS_MAX;) {
    const page = { limit: BATCH, shut, after, moved }
    const due = await listDueContracts(deps.db, formatInstant(deps.now()), page)
    let created = 0
    for (const contract of due) {
      if (!failed.has(contract.id)) created += await tryToCreateNext(deps, contract, failed)
    }
    total += created
    if (created > 0) rounds += 1
    // Nothing is due, or other processes create it.
    else if (due.length < BATCH) break
    // All of these failed; the next page must still be reached.
    else after = due.at(-1)
  }
  return total
}

/** Returns 1 for a new charge, else 0. Adds a contract that fails to `failed`. */
async function tryToCreateNext(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  contract: ContractRow,
  failed: Set<string>,
): Promise<number> {
  try {
    const by = await findOrCreateActorSession(deps, contract.instance_id, SYSTEM)
    const charge = await inTransaction(deps.db, (tx) =>
      createNextCharge(tx, contract, { by, now: deps.now() }),
    )
    return charge ? 1 : 0
  } catch (error) {
    deps.log.error({ err: error, contract: contract.id }, 'charge of contract was not made')
    failed.add(contract.id)
    return 0
  }
}
