import { recordAudit } from '../audit/record-audit.ts'
import { createCache, perDatabase } from '../cache.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'

const INTERVAL_MS = 60_000
const REMEMBERED_MAX = 10_000

/** When this process last wrote the refusal of a key and an address. */
const writtenOf = perDatabase(() => createCache<number>(REMEMBERED_MAX))

/**
 * Writes into the audit log that a secret key was used from an address where it does not work: at most once
 * a minute for one key and address, because a thief of the key can repeat it.
 */
export async function auditRefusedKey(
  { db, realNow }: Pick<Deps, 'db' | 'realNow'>,
  { hash, instance, ip }: { hash: string; instance: string; ip: string | undefined },
): Promise<void> {
  const [at, written, of] = [realNow(), writtenOf(db), `${hash} ${ip}`]
  if (at - (written.get(of) ?? -Infinity) < INTERVAL_MS) return
  written.set(of, at)
  await inTransaction(db, async (tx) => {
    const key = await tx
      .selectFrom('secret_keys')
      .select('id')
      .where('hash', '=', hash)
      .executeTakeFirst()
    await recordAudit(tx, {
      at,
      by: { type: 'API_KEY', credential: hash, ip },
      of: { instance },
      action: 'secret_key.refused',
      about: key?.id,
    })
  })
}
