import type { Db, Tx } from '../db/tables.ts'

/** Finds or creates the merchant of a name. Returns its id. */
export async function ensureMerchant(
  tx: Tx,
  merchant: { id: string; name: string; created: string },
): Promise<string> {
  await tx
    .insertInto('merchants')
    .values(merchant)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findMerchant(tx, merchant.name)) as string
}

/** Returns the id of the oldest merchant. */
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

/** Returns the id of the merchant of a name. */
export async function findMerchant(db: Db, name: string): Promise<string | undefined> {
  const merchant = await db
    .selectFrom('merchants')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst()
  return merchant?.id
}
