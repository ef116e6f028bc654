import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { AuditAction, AuditActorType } from '../../shared/rules/audit-actions.ts'
import type { AuditDetail } from '../../shared/schemas/audit.ts'
import type { Actor } from '../actor-sessions/store.ts'
import { foldedText } from '../db/fold-text.ts'
import type { AuditRow } from '../db/tables/audit.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { redact } from '../observe/redact.ts'
import { type CommandLineActor, commandLineActor } from './command-line-actor.ts'

/**
 * Who does something: the caller of the API (`c.get('actor')`), the actor session of a caller by its id,
 * `commandLineActor()`, or a person who has not proved who they are.
 */
export type AuditActor =
  | Actor
  | { type: 'SESSION'; id: string | null }
  | CommandLineActor
  | { type: 'ANONYMOUS'; ip?: string | undefined }

export interface Audited {
  /** Epoch milliseconds of the real clock. */
  at: number
  by: AuditActor
  /** What it concerns: an instance, or the merchant as a whole, which a user stands for as well. */
  of: { instance: string } | { merchant_id: string } | { user: string }
  action: AuditAction
  /** Id of the record. */
  about?: string | undefined
  /** Names of changed members, amounts and the like; never the value of a secret. */
  detail?: AuditDetail
  /** Written for users only. */
  peopleOnly?: true
}

/**
 * Writes an entry of the audit log. `tx` is the transaction of the act, so that neither is there without
 * the other. What the server does by itself and what payers do is not audited.
 */
export async function recordAudit(
  tx: Tx,
  { at, by, of, action, about, detail = {}, peopleOnly }: Audited,
): Promise<void> {
  const actor = await identify(tx, by)
  if (!actor || (peopleOnly && actor.type !== 'USER')) return
  const name = actor.name === null ? null : redact(actor.name)
  await tx
    .insertInto('audit')
    .values({
      id: newId('aud', at),
      ...(await ownerOf(tx, of)),
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: name,
      actor_name_lower: foldedText(name),
      action,
      about: about ?? null,
      ip: actor.ip,
      // The last defense, for names that people choose.
      detail: redact(JSON.stringify(detail)),
      created: formatInstant(at),
    })
    .execute()
}

async function ownerOf(
  tx: Tx,
  of: Audited['of'],
): Promise<Pick<AuditRow, 'merchant_id' | 'instance_id'>> {
  if ('instance' in of) {
    const { merchant_id } = await tx
      .selectFrom('instances')
      .select('merchant_id')
      .where('id', '=', of.instance)
      .executeTakeFirstOrThrow()
    return { merchant_id, instance_id: of.instance }
  }
  if ('merchant_id' in of) return { merchant_id: of.merchant_id, instance_id: null }
  const { merchant_id } = await tx
    .selectFrom('users')
    .select('merchant_id')
    .where('id', '=', of.user)
    .executeTakeFirstOrThrow()
  return { merchant_id, instance_id: null }
}

interface Identity {
  type: AuditActorType
  id: string | null
  name: string | null
  ip: string | null
}

/** Returns undefined for the server and for payers. */
async function identify(tx: Tx, by: AuditActor): Promise<Identity | undefined> {
  if (by.type === 'SESSION') return identifySession(tx, by.id)
  const ip = ('ip' in by && by.ip) || null
  switch (by.type) {
    case 'COMMAND_LINE':
      return { type: by.type, id: null, name: by.name, ip }
    case 'ANONYMOUS':
      return { type: by.type, id: null, name: null, ip }
    case 'USER':
      return { type: by.type, ...(await named(tx, 'users', 'email', by.user)), ip }
    case 'OAUTH':
      return { type: by.type, ...(await named(tx, 'oauth_clients', 'name', by.client)), ip }
    case 'API_KEY':
      return { type: by.type, ...(await named(tx, 'secret_keys', 'name', await keyId(tx, by))), ip }
    default:
      return undefined
  }
}

/** An audited operation in a session of the server is one of the command line: no job runs any. */
async function identifySession(tx: Tx, id: string | null): Promise<Identity | undefined> {
  if (id === null) return undefined
  const { type, ...session } = await tx
    .selectFrom('actor_sessions')
    .select(['type', 'user_id', 'client_id', 'key_id', 'ip'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { ip } = session
  switch (type) {
    case 'USER':
      return { type, ...(await named(tx, 'users', 'email', session.user_id)), ip }
    case 'OAUTH':
      return { type, ...(await named(tx, 'oauth_clients', 'name', session.client_id)), ip }
    case 'API_KEY':
      return { type, ...(await named(tx, 'secret_keys', 'name', session.key_id)), ip }
    case 'SYSTEM':
      return identify(tx, commandLineActor())
    default:
      return undefined
  }
}

async function named(
  tx: Tx,
  table: 'users' | 'oauth_clients' | 'secret_keys',
  column: 'email' | 'name',
  id: string | null | undefined,
): Promise<Pick<Identity, 'id' | 'name'>> {
  if (id == null) return { id: null, name: null }
  const { rows } = await sql<{ name: string | null }>`
    select ${sql.ref(column)} as name from ${sql.table(table)} where id = ${id}`.execute(tx)
  return { id, name: rows[0]?.name ?? null }
}

async function keyId(tx: Tx, { credential = '' }: Pick<Actor, 'credential'>) {
  const key = await tx
    .selectFrom('secret_keys')
    .select('id')
    .where('hash', '=', credential)
    .executeTakeFirst()
  return key?.id
}
