import { formatInstant } from '../../shared/rules/time.ts'
import type { AuditAction, AuditActorType, AuditDetail } from '../../shared/schemas/audit.ts'
import type { Actor } from '../actor-sessions/store.ts'
import { foldedText } from '../db/fold-text.ts'
import type { Db, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { redact } from '../observe/redact.ts'

/**
 * Who does something: the caller of the API (`c.get('actor')`), `commandLineActor()`, or a person who has
 * not proved who they are.
 */
export type AuditActor =
  | Actor
  | { type: 'COMMAND_LINE'; name: string | null }
  | { type: 'ANONYMOUS'; ip?: string | undefined }

export interface Audited {
  /** Epoch milliseconds of the real clock. */
  at: number
  by: AuditActor
  /** What it concerns: an instance, or a merchant as a whole with its users. */
  of: { merchant_id: string; id: string } | { merchant_id: string }
  action: AuditAction
  /** Id of the record. */
  about?: string | undefined
  /** Names of changed members, amounts and the like; never the value of a secret. */
  detail?: AuditDetail
}

/**
 * Writes an entry of the audit log. `tx` is the transaction of the act, so that neither is there without
 * the other. What the server does by itself and what payers do is not audited.
 */
export async function recordAudit(
  tx: Tx,
  { at, by, of, action, about, detail = {} }: Audited,
): Promise<void> {
  const actor = await identify(tx, by)
  if (!actor) return
  const name = actor.name === null ? null : redact(actor.name)
  await tx
    .insertInto('audit')
    .values({
      id: newId('aud', at),
      merchant_id: of.merchant_id,
      instance_id: 'id' in of ? of.id : null,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: name,
      actor_name_lower: foldedText(name),
      action,
      about: about ?? null,
      ip: 'ip' in by ? (by.ip ?? null) : null,
      // The last defense, for names that people choose.
      detail: redact(JSON.stringify(detail)),
      created: formatInstant(at),
    })
    .execute()
}

interface Identity {
  type: AuditActorType
  id: string | null
  name: string | null
}

/** Returns undefined for the server and for payers. */
async function identify(db: Db | Tx, by: AuditActor): Promise<Identity | undefined> {
  switch (by.type) {
    case 'COMMAND_LINE':
      return { type: by.type, id: null, name: by.name }
    case 'ANONYMOUS':
      return { type: by.type, id: null, name: null }
    case 'USER':
      return { type: by.type, id: by.user ?? null, name: await emailOf(db, by.user) }
    case 'OAUTH':
      return { type: by.type, id: by.client ?? null, name: await clientNameOf(db, by.client) }
    case 'API_KEY':
      return { type: by.type, ...(await keyOf(db, by.credential)) }
    default:
      return undefined
  }
}

async function emailOf(db: Db | Tx, id = ''): Promise<string | null> {
  const user = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst()
  return user?.email ?? null
}

async function clientNameOf(db: Db | Tx, id = ''): Promise<string | null> {
  const client = await db
    .selectFrom('oauth_clients')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirst()
  return client?.name ?? null
}

async function keyOf(db: Db | Tx, hash = ''): Promise<Pick<Identity, 'id' | 'name'>> {
  const key = await db
    .selectFrom('secret_keys')
    .select(['id', 'name'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  return key ?? { id: null, name: null }
}
