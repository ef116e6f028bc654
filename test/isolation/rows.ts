import { sql } from 'kysely'
import type { Db } from '../../server/db/tables.ts'
import type { TestApp } from '../app.ts'

/** Everything that is stored for an instance, whatever table it is in. */

/** The condition for an instance's rows in tables without a column `instance_id`. */
const BELONGS: Record<string, (instance: string) => ReturnType<typeof sql>> = {
  instances: (id) => sql`id = ${id}`,
  processor_operations: (id) => ofConnection(id),
  processor_notices: (id) => ofConnection(id),
  payment_parts: (id) => sql`payment_id in (select id from payments where instance_id = ${id})`,
  oauth_codes: (id) => sql`grant_id in (select id from oauth_grants where instance_id = ${id})`,
  oauth_tokens: (id) => sql`grant_id in (select id from oauth_grants where instance_id = ${id})`,
  merchants: (id) => sql`id in (select merchant_id from instances where id = ${id})`,
  users: (id) => sql`merchant_id in (select merchant_id from instances where id = ${id})`,
  user_sessions: ofUser,
  user_factors: ofUser,
  user_preferences: ofUser,
  recovery_codes: ofUser,
  sign_in_steps: ofUser,
}

function ofUser(instance: string) {
  return sql`user_id in (select users.id from users join instances
    on instances.merchant_id = users.merchant_id where instances.id = ${instance})`
}

function ofConnection(instance: string) {
  return sql`connection_id in (select id from processor_connections where instance_id = ${instance})`
}

/** Of the server and not of a merchant. The sandbox has tables of its own. */
const COMMON =
  /^(bundles|first_sign_ins|insight_backfills|insight_changes|passkey_challenges|limit_counters|buckets|oauth_clients|server_keys|kysely_\w+|sandbox_\w+)$/

/** Rows as JSON, by table, in an order of their own. */
export type Rows = Record<string, string[]>

export interface Census {
  /** Tables with a column `instance_id`. */
  ofInstances: string[]
  /** Tables without an entry that names their owner. */
  unassigned: string[]
}

/** Sorts the tables of the database by whose their rows are. */
export async function takeCensus(app: TestApp): Promise<Census> {
  const tables = await app.checkstand.deps.db.introspection.getTables()
  const ofInstances = tables
    .filter(({ columns }) => columns.some(({ name }) => name === 'instance_id'))
    .map(({ name }) => name)
  const assigned = new Set([...ofInstances, ...Object.keys(BELONGS)])
  const withoutOwner = tables.map(({ name }) => name).filter((name) => !assigned.has(name))
  return { ofInstances, unassigned: withoutOwner.filter((name) => !COMMON.test(name)) }
}

/** Every row of an instance, and those of its merchant. */
export async function rowsOf(db: Db, { ofInstances }: Census, instance: string): Promise<Rows> {
  const tables = [...ofInstances, ...Object.keys(BELONGS)].toSorted()
  const read = tables.map(async (table) => {
    const owned = BELONGS[table]?.(instance) ?? sql`instance_id = ${instance}`
    const { rows } = await sql`select * from ${sql.table(table)} where ${owned}`.execute(db)
    return [table, rows.map((row) => JSON.stringify(row)).toSorted()] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/** The columns, with their tables, in which a text stands. */
export function columnsWith(text: string, rows: Rows): string[] {
  const columns = Object.entries(rows).flatMap(([table, all]) =>
    all
      .flatMap((row) => Object.entries(JSON.parse(row) as object))
      .filter(([, value]) => String(value).includes(text))
      .map(([column]) => `${table}.${column}`),
  )
  return [...new Set(columns)].toSorted()
}

/** Where merchants and payers write what they like, and what is made of that. */
export const FREE_COLUMNS = [
  'accounts.address',
  'accounts.company',
  'accounts.company_lower',
  'accounts.email',
  'accounts.email_folded',
  'accounts.email_lower',
  'accounts.first_name',
  'accounts.first_name_lower',
  'accounts.last_name',
  'accounts.last_name_lower',
  'accounts.locale',
  'accounts.metadata',
  'accounts.phone',
  'accounts.phone_lower',
  'accounts.tags',
  'accounts.tags_lower',
  'actor_sessions.user_agent',
  'attempts.consent',
  'charges.description',
  'checkout_alerts.alerts',
  'checkouts.description',
  'checkouts.merchant',
  'checkouts.payer_comment',
  'contracts.description',
  'deep_links.options',
  'events.data',
  'idempotency_keys.body',
  'instances.allowed_origins',
  'instances.brandings',
  'instances.name',
  'legal_entities.details',
  'legal_entities.legal_name',
  'legal_entities.legal_name_lower',
  'legal_entities.name',
  'legal_entities.name_lower',
  'legal_entity_routes.description',
  'legal_entity_versions.content',
  'merchants.name',
  'method_setups.consent',
  'payment_links.name_lower',
  'payment_links.options',
  'payment_links.state',
  'payment_methods.consent',
  'payments.channel',
  'payments.channel_lower',
  'payments.description',
  'payments.metadata',
  'payments.payer_comment',
  'payments.payer_details',
  'refunds.reason',
  'refunds.reason_lower',
  'search_words.word',
  'secret_keys.name',
  'string_changes.text_after',
  'string_changes.text_before',
  'string_revisions.note',
  'strings.text',
  'views.name',
  'views.query',
  'webhook_endpoints.description',
  'webhook_endpoints.description_lower',
  'webhook_endpoints.url',
  'webhook_endpoints.url_lower',
]
