import { secretPurpose } from '../../server/processors/connect.ts'
import { encrypt, type EncryptionKeys } from '../../server/encryption.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Db, Tables } from '../../server/db/tables.ts'
import { newId } from '../../server/ids.ts'
import { ENCRYPTION_KEYS } from './environment.ts'
import type { StripeFake } from './start.ts'

export type FakeKeys = Pick<StripeFake, 'secretKey' | 'publishableKey'>

/**
 * Connects an instance, by default the first, of a program that was started with `stripeEnvironment` on
 * another process's database. Returns the connection's id.
 */
export async function connectProgram(
  databaseUrl: string,
  fake: FakeKeys,
  instanceId?: string,
): Promise<string> {
  const { db, close } = await openDatabase<Tables>(databaseUrl)
  const first = db.selectFrom('instances').select('id').orderBy('id')
  const instance_id = instanceId ?? (await first.executeTakeFirstOrThrow()).id
  const connection = { instance_id, keys: ENCRYPTION_KEYS, created: Date.now() }
  const id = await insertStripeConnection(db, connection, fake, {})
  await close()
  return id
}

/** Inserts the row of a connection; `created` is in epoch milliseconds. Returns its id. */
export async function insertStripeConnection(
  db: Db,
  {
    instance_id,
    keys,
    created: at,
    webhookSecret,
  }: {
    instance_id: string
    keys: EncryptionKeys
    created: number
    webhookSecret?: string | undefined
  },
  { publishableKey, secretKey }: FakeKeys,
  settings: object,
): Promise<string> {
  const id = newId('pr', at)
  const created = new Date(at).toISOString()
  await db
    .insertInto('processor_connections')
    .values({
      id,
      instance_id,
      name: 'stripe',
      status: 'ACTIVE',
      publishable_key: publishableKey,
      secret_key: encrypt(keys, secretKey, secretPurpose({ id }, 'secret_key')),
      key_hint: 'sk_…0000',
      account: 'acct_1Fake',
      webhook_endpoint: null,
      webhook_secret:
        webhookSecret === undefined
          ? null
          : encrypt(keys, webhookSecret, secretPurpose({ id }, 'webhook_secret')),
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
