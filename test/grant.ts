import { randomUUID } from 'node:crypto'
import { formatInstant } from '../shared/rules/time.ts'
import { inTransaction } from '../server/db/transaction.ts'
import { newId } from '../server/ids.ts'
import { insertGrant } from '../server/oauth/grant-store.ts'
import { addUser } from '../server/users/create.ts'
import type { Merchant, TestApp } from './app.ts'
import { newPlatform } from './oauth.ts'

/** Stores the grant of a user of the merchant to a platform, without the pages by which one is approved. */
export async function makeGrant(app: TestApp, { instance }: Merchant): Promise<string> {
  const now = app.now()
  const created = formatInstant(now)
  const email = `${randomUUID()}@shop.example`
  const { id: client_id } = await newPlatform(app)
  const id = newId('og', now)
  await inTransaction(app.checkstand.deps.db, async (tx) => {
    const user = await addUser(tx, instance.merchant_id, { email, passwordHash: 'none', now })
    await insertGrant(tx, {
      id,
      client_id,
      instance_id: instance.id,
      user_id: user.id,
      scopes: 'read',
      created,
      revoked: null,
      last_used: created,
    })
  })
  return id
}
