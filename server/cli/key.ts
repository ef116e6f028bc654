import { parseArgs } from 'node:util'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Db } from '../db/tables.ts'
import { findKeysByPrefix, findNamedInstance, insertSecretKey } from '../instances/store.ts'
import { listSecretKeys, revokeSecretKey } from '../instances/store.ts'
import type { Instance } from '../instances/store.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { withDatabase } from './database.ts'
import { readSecret } from './password.ts'
import { WrongUsage, print } from './usage.ts'

const HELP = `checkstand key create [--merchant NAME] [--instance KEY] [--json]
checkstand key list   [--merchant NAME] [--instance KEY] [--json]
checkstand key revoke <key or its prefix> [--merchant NAME] [--instance KEY] [--json]

Without names: the first merchant's first instance. A revoked key stops working at once.
A prefix must be that of one key alone; where several begin alike, give the whole key. For - it is
read from standard input, which keeps a key that still works out of the list of processes.`

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
      await revokeKey(db, instance, wanted === '-' ? await readSecret('Key: ') : wanted, now())
      return print({ revoked: 1 }, json)
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

/** A prefix may revoke one key only: another one with it may be what a shop is working with. */
async function revokeKey(db: Db, instance: Instance, wanted: string, now: number): Promise<void> {
  const revoke = (hash: string) =>
    revokeSecretKey(db, instance.id, { hash, now: formatInstant(now) })
  if (await revoke(hashSecret(wanted))) return
  const [hash, ...others] = await findKeysByPrefix(db, instance.id, wanted)
  if (others.length > 0) {
    throw new Error(`${others.length + 1} keys begin like that; give the whole key`)
  }
  if (hash === undefined || !(await revoke(hash))) {
    throw new Error('No key of this instance begins like that')
  }
}
