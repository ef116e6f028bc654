import { randomUUID } from 'node:crypto'
import { formatInstant } from '../shared/rules/time.ts'
import { inTransaction } from '../server/db/transaction.ts'
import { newId } from '../server/ids.ts'
import { insertGrant } from '../server/oauth/grant-store.ts'
import { insertUser } from '../server/users/store.ts'
import type { Merchant, TestApp } from './app.ts'
import { newPlatform } from './oauth.ts'

/** Stores the grant of a user of the merchant to a platform, without the pages by which one is approved. */
export async function makeGrant(app: TestApp, { instance }: Merchant): Promise<string> {
  const now = app.now()
  const created = formatInstant(now)
  const email = `${randomUUID()}@shop.example`
  const { id: client_id } = await newPlatform(app)
  const user = newId('usr', now)
  const id = newId('og', now)
  await inTransaction(app.checkstand.deps.db, async (tx) => {
    await insertUser(tx, {
      id: user,
      merchant_id: instance.merchant_id,
      email,
      email_folded: email,
      password_hash: 'none',
      role: 'OWNER',
      instances: null,
      languages: null,
      created,
      disabled: null,
    })
    await insertGrant(tx, {
      id,
      client_id,
      instance_id: instance.id,
      user_id: user,
      scopes: 'read',
      created,
      revoked: null,
      last_used: created,
    })
  })
  return id
}
