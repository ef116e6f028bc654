import type { Config } from '../../server/config.ts'
import type { Db } from '../../server/db/tables.ts'
import { encrypt, type EncryptionKeys } from '../../server/encryption.ts'
import { newId } from '../../server/ids.ts'
import { secretPurpose } from '../../server/processors/connect.ts'
import { readOrCreateEncryptionKeys } from '../../server/processors/encryption-keys.ts'
import type { StripeFake } from './start.ts'

/** Settings of a server whose Stripe is the fake. Pages load Stripe.js from `scriptUrl`. */
export function stripeEnvironment(
  fake: Pick<StripeFake, 'url'>,
  scriptUrl = `${fake.url}/stripe.js`,
): Record<string, string> {
  return {
    STRIPE_API_URL: fake.url,
    STRIPE_JS_URL: scriptUrl,
    CHECKSTAND_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
}

export type Keys = Pick<StripeFake, 'secretKey' | 'publishableKey'>

/** Stores a connection of an instance to the fake. Returns its id. `now` is in epoch milliseconds. */
export async function storeStripeConnection(
  { db, config, now }: { db: Db; config: Config; now: number },
  instance_id: string,
  fake: Keys,
  settings: object = {},
): Promise<string> {
  const id = newId('pr', now)
  const keys = readOrCreateEncryptionKeys(config) as EncryptionKeys
  const created = new Date(now).toISOString()
  await db
    .insertInto('processor_connections')
    .values({
      id,
      instance_id,
      name: 'stripe',
      status: 'ACTIVE',
      publishable_key: fake.publishableKey,
      secret_key: encrypt(keys, fake.secretKey, secretPurpose({ id }, 'secret_key')),
      key_hint: 'sk_…0000',
      account: 'acct_1Fake',
      webhook_endpoint: null,
      webhook_secret: null,
      previous_webhook_secret: null,
      previous_until: null,
      last_heard: null,
      settings: JSON.stringify(settings),
      failures: 0,
      created_session: null,
      updated_session: null,
      created,
      updated: created,
      v: 1,
    })
    .execute()
  return id
}
