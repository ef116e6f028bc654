import type { Instance } from '../db/tables/instances.ts'
import { commandLineActor } from '../audit/command-line-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import type { Db } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
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
} from '../secret-keys/store.ts'

const HELP = `npx checkstand key create [--merchant NAME] [--instance KEY] [--json]
npx checkstand key list   [--merchant NAME] [--instance KEY] [--json]
npx checkstand key revoke <key or its prefix> [--merchant NAME] [--instance KEY] [--json]

The instance is the first merchant's first one, unless named. A revoked key stops working at once. A
whole key is found in any instance. A prefix must match exactly one key of the instance. With - the
key is read from standard input, which keeps a valid key out of the list of processes.`

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
    const instance = () => getNamedInstance(tools.db, values)
    if (action === 'create') return print(await createKey(tools, await instance()), json)
    if (action === 'list') {
      return printList('keys', await listSecretKeys(tools.db, (await instance()).id), json)
    }
    const keyOrPrefix = argument === '-' ? await readSecret('Key: ') : argument
    const hash = await findKeyHash(tools.db, keyOrPrefix, values)
    print(await revokeKey(tools, hash), json)
  })
}

type Tools = Parameters<Parameters<typeof withDatabase>[0]>[0]

async function createKey({ db, now }: Tools, instance: Instance) {
  const secret = newSecret(`sk_${instance.mode.toLowerCase()}_${instance.key}`)
  const at = now()
  await inTransaction(db, async (tx) => {
    const { id: about } = await insertSecretKey(tx, {
      hash: hashSecret(secret),
      instance_id: instance.id,
      secret,
      created: formatInstant(at),
    })
    const [by, action] = [commandLineActor(), 'secret_key.created'] as const
    await recordAudit(tx, {
      at,
      by,
      of: { instance: instance.id },
      action,
      about,
      detail: { scopes: null },
    })
  })
  return { instance: instance.key, secret_key: secret }
}

/**
 * Returns the hash of a key or of the only active key with a prefix. A whole key is found in any
 * instance unless `selector` names one.
 */
async function findKeyHash(
  db: Db,
  keyOrPrefix: string,
  selector: InstanceSelector,
): Promise<string> {
  const wholeHash = hashSecret(keyOrPrefix)
  const key = await findSecretKey(db, wholeHash)
  const isNamed = selector.merchant !== undefined || selector.instance !== undefined
  if (key && !isNamed) return wholeHash
  const instance = await getNamedInstance(db, selector)
  if (key?.instance_id === instance.id) return wholeHash
  if (key)
    throw new Error('The key belongs to another instance; leave out --merchant and --instance')
  const [hash, ...others] = await findKeysByPrefix(db, instance.id, keyOrPrefix)
  if (others.length > 0) {
    throw new Error(`${others.length + 1} keys have this prefix; give the whole key`)
  }
  if (hash === undefined) {
    throw new Error(
      `The instance "${instance.key}" has no active key with this prefix; ` +
        '`npx checkstand key list` lists the prefixes',
    )
  }
  return hash
}

async function revokeKey({ db, now }: Tools, hash: string) {
  const at = now()
  const revoked = await inTransaction(db, async (tx) => {
    const key = await revokeSecretKey(tx, { hash, now: formatInstant(at) })
    if (!key) return undefined
    const of = { instance: key.instance_id }
    const [by, action] = [commandLineActor(), 'secret_key.revoked'] as const
    await recordAudit(tx, { at, by, of, action, about: key.id })
    return key
  })
  if (!revoked) throw new Error('The key is revoked already')
  return {
    revoked: 1,
    prefix: revoked.prefix,
    instance: revoked.instance,
    merchant: revoked.merchant,
  }
}
