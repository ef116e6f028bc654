import { type AccountRow } from '../accounts/store.ts'
import { serializeAccount } from '../accounts/serialize.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { type Erasure, eraseFromRecord } from './erase-from-record.ts'

/** Rows of each transaction, which bounds how long other writers wait. */
const BATCH = 200

/**
 * Erases a customer from the records that were copied as JSON: from events, whose deliveries are sent
 * from them, and from the responses to requests with an `Idempotency-Key`.
 */
export async function eraseFromTexts(
  deps: Deps,
  account: AccountRow,
  commented: readonly string[],
): Promise<void> {
  const erasure: Erasure = {
    account: serializeAccount(account),
    links: new Set(JSON.parse(account.erasing ?? '[]') as string[]),
    commented: new Set(commented),
  }
  await eraseEvents(deps, account, erasure)
  await eraseResponses(deps, account, erasure)
}

const erased = (text: string, erasure: Erasure) =>
  JSON.stringify(eraseFromRecord(JSON.parse(text), erasure))

async function eraseEvents(deps: Deps, account: AccountRow, erasure: Erasure): Promise<void> {
  let last = ''
  for (let found = BATCH; found === BATCH;) {
    const rows = await deps.db
      .selectFrom('events')
      .select(['id', 'data'])
      .where('instance_id', '=', account.instance_id)
      .where('id', '>', last)
      .where((eb) => eb.or(namesOf(erasure).map((name) => eb('data', 'like', `%${name}%`))))
      .orderBy('id')
      .limit(BATCH)
      .execute()
    found = rows.length
    last = rows.at(-1)?.id ?? last
    await inTransaction(deps.db, async (tx) => {
      for (const { id, data } of rows) {
        const text = erased(data, erasure)
        if (text !== data) {
          await tx.updateTable('events').set({ data: text }).where('id', '=', id).execute()
        }
      }
    })
  }
}

/** Keys are kept for days only, so that there are few. */
async function eraseResponses(deps: Deps, account: AccountRow, erasure: Erasure): Promise<void> {
  const names = namesOf(erasure)
  await inTransaction(deps.db, async (tx) => {
    const rows = await tx
      .selectFrom('idempotency_keys')
      .select(['path', 'key', 'body'])
      .where('instance_id', '=', account.instance_id)
      .where((eb) => eb.or(names.map((name) => eb('body', 'like', `%${name}%`))))
      .execute()
    for (const { path, key, body } of rows) {
      await tx
        .updateTable('idempotency_keys')
        .set({ body: body === null ? null : erased(body, erasure) })
        .where('instance_id', '=', account.instance_id)
        .where('path', '=', path)
        .where('key', '=', key)
        .execute()
    }
  })
}

/** The ids by which a record concerns the customer. In SQL, `_` matches any character. */
function namesOf({ account, links }: Erasure): string[] {
  return [account.id, ...links]
}
