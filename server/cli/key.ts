import type { Instance } from '../db/rows.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Db } from '../db/tables.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { withDatabase } from './database.ts'
import { type InstanceSelector, getNamedInstance } from './named-instance.ts'
import { readSecret } from './password.ts'
import { print, printList } from './output.ts'
import { readUsage } from './usage.ts'
import {
  findKeysByPrefix,
  findSecretKey,
  insertSecretKey,
  listSecretKeys,
  revokeSecretKey,
} from '../instances/secret-keys.ts'

const HELP = `npx checkstand key create [--merchant NAME] [--instance KEY] [--json]
npx checkstand key list   [--merchant NAME] [--instance KEY] [--json]
npx checkstand key revoke <key or its prefix> [--merchant NAME] [--instance KEY] [--json]

Without names: the first merchant's first instance. A revoked key stops working at once. A whole key
needs no names. A prefix is looked for in the named instance, and must be that of one key alone. For -
the key is read from standard input, which keeps one that still works out of the list of processes.`

const USAGE = {
  help: HELP,
  actions: { create: 0, list: 0, revoke: 1 },
  options: { merchant: { type: 'string' }, instance: { type: 'string' } },
} as const

/** `checkstand key …`. */
export async function keyCommand(args: string[]): Promise<void> {
  const usage = readUsage(args, USAGE)
  if (!usage) return
  const { values, action, argument, json } = usage
  await withDatabase(async (tools) => {
    const named = () => getNamedInstance(tools.db, values)
    if (action === 'create') return print(await createKey(tools, await named()), json)
    if (action === 'list') {
      return printList('keys', await listSecretKeys(tools.db, (await named()).id), json)
    }
    const typed = argument === '-' ? await readSecret('Key: ') : argument
    const hash = await findKey(tools.db, typed, values)
    print(await revokeKey(tools, hash), json)
  })
}

type Tools = Parameters<Parameters<typeof withDatabase>[0]>[0]

async function createKey({ db, now }: Tools, instance: Instance) {
  const secret = newSecret(`sk_${instance.mode.toLowerCase()}_${instance.key}`)
  await insertSecretKey(db, {
    hash: hashSecret(secret),
    instance_id: instance.id,
    secret,
    created: formatInstant(now()),
  })
  return { instance: instance.key, secret_key: secret }
}

/**
 * Returns the hash of the key that was typed whole, or whose prefix was. A whole key is found in
 * every instance, unless one is named. A prefix must be that of one active key of the named
 * instance, since another key with it may be what a shop is working with.
 */
async function findKey(db: Db, typed: string, names: InstanceSelector): Promise<string> {
  const whole = hashSecret(typed)
  const key = await findSecretKey(db, whole)
  const isNamed = names.merchant !== undefined || names.instance !== undefined
  if (key && !isNamed) return whole
  const instance = await getNamedInstance(db, names)
  if (key?.instance_id === instance.id) return whole
  if (key) throw new Error('This key belongs to another instance; leave its name out')
  const [hash, ...others] = await findKeysByPrefix(db, instance.id, typed)
  if (others.length > 0) {
    throw new Error(`${others.length + 1} keys have this prefix; give the whole key`)
  }
  if (hash === undefined) {
    throw new Error(
      `The instance "${instance.key}" has no active key with this prefix; ` +
        '`npx checkstand key list` shows the prefixes. Give one, the whole key, or name another instance',
    )
  }
  return hash
}

/** Throws when the key is revoked already. */
async function revokeKey({ db, now }: Tools, hash: string) {
  const revoked = await revokeSecretKey(db, { hash, now: formatInstant(now()) })
  if (!revoked) throw new Error('This key is revoked already')
  return {
    revoked: 1,
    prefix: revoked.prefix,
    instance: revoked.instance,
    merchant: revoked.merchant,
  }
}
