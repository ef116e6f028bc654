import { parseArgs } from 'node:util'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Db } from '../db/tables.ts'
import { findNamedInstance, insertSecretKey, listSecretKeys } from '../instances/store.ts'
import { revokeSecretKeys } from '../instances/store.ts'
import type { Instance } from '../instances/store.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { withDatabase } from './database.ts'
import { WrongUsage, print } from './usage.ts'

const HELP = `checkstand key create [--merchant NAME] [--instance KEY] [--json]
checkstand key list   [--merchant NAME] [--instance KEY] [--json]
checkstand key revoke <key or its prefix> [--merchant NAME] [--instance KEY] [--json]

Without names: the first merchant's first instance. A revoked key stops working at once.`

/** `checkstand key …` (contract section 22). */
export async function keyCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      merchant: { type: 'string' },
      instance: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const [action, wanted] = positionals
  const json = values.json ?? false
  await withDatabase(async ({ db, now }) => {
    const instance = await findNamedInstance(db, values.merchant, values.instance)
    if (!instance) throw new Error('There is no such instance; make one with `instance create`')
    if (action === 'create') return print(await createKey(db, instance, now()), json)
    if (action === 'list') return print({ keys: await listSecretKeys(db, instance.id) }, json)
    if (action === 'revoke' && wanted) {
      const revoked = await revokeKey(db, instance, wanted, now())
      return print({ revoked }, json)
    }
    throw new WrongUsage(HELP)
  })
}

async function createKey(db: Db, instance: Instance, now: number) {
  const secret = newSecret(`sk_${instance.mode.toLowerCase()}_${instance.key}`)
  await insertSecretKey(db, {
    hash: hashSecret(secret),
    instance_id: instance.id,
    secret,
    created: formatInstant(now),
  })
  return { instance: instance.key, secret_key: secret }
}

async function revokeKey(db: Db, instance: Instance, wanted: string, now: number) {
  const revoked = await revokeSecretKeys(db, instance.id, {
    hash: hashSecret(wanted),
    prefix: wanted,
    now: formatInstant(now),
  })
  if (revoked === 0) throw new Error('No key of this instance begins like that')
  return revoked
}
