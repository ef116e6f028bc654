import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db } from './tables.ts'

/**
 * Keyed digest (HMAC) of user input, to recognize it without storing it. A plain SHA-256 of a card
 * number could be reversed by brute force; this requires the database's key in `server_keys` too.
 */
export type KeyedDigest = (content: string | Uint8Array) => string

/** Row of `server_keys` that holds the key. */
const NAME = 'digest'

/**
 * Makes the digest function of a database, and its key the first time. The function returns the
 * HMAC-SHA-256 of the content's SHA-256, in hex.
 */
export async function readKeyedDigest(db: Db): Promise<KeyedDigest> {
  const key = await findKey(db)
  if (key !== undefined) return digestUnder(key)
  await db
    .insertInto('server_keys')
    .values({
      name: NAME,
      value: randomBytes(32).toString('hex'),
      created: formatInstant(Date.now()),
    })
    // Another process may be first. Its key counts then.
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return digestUnder((await findKey(db)) as string)
}

async function findKey(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('server_keys')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return row?.value
}

function digestUnder(hex: string): KeyedDigest {
  const key = createSecretKey(hex, 'hex')
  return (content) => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    return createHmac('sha256', key).update(sha256).digest('hex')
  }
}
