import type { Db, Tx } from '../db/tables.ts'

/** The merchant of that name, made when there is none. Answers its id. */
export async function ensureMerchant(
  tx: Tx,
  merchant: { id: string; name: string; created: string },
): Promise<string> {
  await tx
    .insertInto('merchants')
    .values(merchant)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const found = await tx
    .selectFrom('merchants')
    .select('id')
    .where('name', '=', merchant.name)
    .executeTakeFirstOrThrow()
  return found.id
}

/** The merchant that was there first; undefined on an empty server. */
export async function findFirstMerchant(db: Db | Tx): Promise<string | undefined> {
  const merchant = await db
    .selectFrom('merchants')
    .select('id')
    .orderBy('created')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return merchant?.id
}

/** The merchant of that name; undefined when there is none. */
export async function findMerchant(db: Db, name: string): Promise<string | undefined> {
  const merchant = await db
    .selectFrom('merchants')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst()
  return merchant?.id
}
