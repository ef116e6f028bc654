import { createHash, createHmac } from 'node:crypto'
import type { Db } from './db/tables.ts'

/**
 * Digest of something that a person typed, to recognise it without keeping it. A plain SHA-256 of
 * what has few possible values, such as a card number, is as good as the value: whoever reads it
 * tries them all. This one needs the database's own key for that, which stands in another table.
 */
export type KeyedDigest = (content: string | Uint8Array) => string

/** Row of `server_keys` that holds the key. */
const NAME = 'digest'

/**
 * Makes the digest function of a database. It returns the HMAC-SHA-256 of the content's SHA-256,
 * in hex. Throws an Error when the database has no key, which its migrations make.
 */
export async function readKeyedDigest(db: Db): Promise<KeyedDigest> {
  const { value } = await db
    .selectFrom('server_keys')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  const key = Buffer.from(value, 'hex')
  return (content) => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    return createHmac('sha256', key).update(sha256).digest('hex')
  }
}
