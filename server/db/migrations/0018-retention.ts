import { createHmac, randomBytes } from 'node:crypto'
import { type Kysely, sql, SqliteAdapter } from 'kysely'

/**
 * Retention: pruned sessions leave the two times that their link shows, and digests of requests are
 * keyed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    await sql`set local statement_timeout = 0`.execute(db)
  }
  await keepOpenings(db)
  await forgetSandboxTokens(db)
  await keyDigests(db)
}

async function keepOpenings(db: Kysely<unknown>): Promise<void> {
  // When the first and the last of a link's pruned sessions were opened.
  for (const column of ['removed_opened', 'removed_last_opened']) {
    await db.schema.alterTable('payment_links').addColumn(column, 'text').execute()
  }
  // Only sessions that can be pruned.
  await db.schema
    .createIndex('checkouts_ended')
    .on('checkouts')
    .column('expires')
    .where(sql<boolean>`status in ('COMPLETED', 'EXPIRED', 'ABANDONED')`)
    .execute()
}

async function forgetSandboxTokens(db: Kysely<unknown>): Promise<void> {
  // Numbers that are no sandbox test card were never charged.
  await sql`delete from sandbox_tokens
    where scenario = 'NOT_A_TEST_CARD' and used_by is null`.execute(db)
  // Only unused tokens.
  await db.schema
    .createIndex('sandbox_tokens_unused')
    .on('sandbox_tokens')
    .column('created')
    .where(sql<boolean>`used_by is null and stored = 0`)
    .execute()
}

interface Digests {
  instances: { id: string }
  server_keys: { name: string; value: string; created: string }
  attempts: { id: string; request_hash: string | null; created: string }
  idempotency_keys: { instance_id: string; path: string; key: string; request_hash: string }
  limit_counters: { name: string; key: string; window_start: string }
}

const PLAIN_PATH = 'sha256:'
const DAY_MS = 86_400_000

/** A keyed digest is computed from the SHA-256 of the content, so stored hashes can be converted. */
async function keyDigests(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<Digests>
  await db.schema
    .createTable('server_keys')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('created', 'text', (c) => c.notNull())
    .execute()
  // A new database gets its key when a server starts.
  const used = await db.selectFrom('instances').select('id').limit(1).execute()
  if (used.length === 0) return
  const key = randomBytes(32)
  const keyed = (sha256: string) => createHmac('sha256', key).update(sha256).digest('hex')
  await db
    .insertInto('server_keys')
    .values({ name: 'digest', value: key.toString('hex'), created: new Date().toISOString() })
    .execute()
  await keyAttempts(db, keyed)
  await keyRequests(db, keyed)
  const tried = db.selectFrom('limit_counters').selectAll().where('name', '=', 'sign-in-user')
  for (const { name, key: sha256, window_start } of await tried.execute()) {
    await db
      .updateTable('limit_counters')
      .set({ key: keyed(sha256) })
      .where('name', '=', name)
      .where('key', '=', sha256)
      .where('window_start', '=', window_start)
      .execute()
  }
}

/** A session ends within a day, so older digests are never compared. */
async function keyAttempts(db: Kysely<Digests>, keyed: (sha256: string) => string): Promise<void> {
  const hashed = db.selectFrom('attempts').where('request_hash', 'is not', null)
  const newest = await hashed
    .select((eb) => eb.fn.max<string | null>('created').as('created'))
    .executeTakeFirst()
  if (newest?.created == null) return
  const since = new Date(Date.parse(newest.created) - 2 * DAY_MS).toISOString()
  await db
    .updateTable('attempts')
    .set({ request_hash: null })
    .where('created', '<', since)
    .where('request_hash', 'is not', null)
    .execute()
  const recent = await hashed.select(['id', 'request_hash']).$narrowType<Hashed>().execute()
  for (const { id, request_hash } of recent) {
    await db
      .updateTable('attempts')
      .set({ request_hash: keyed(request_hash) })
      .where('id', '=', id)
      .execute()
  }
}

interface Hashed {
  request_hash: string
}

async function keyRequests(db: Kysely<Digests>, keyed: (sha256: string) => string): Promise<void> {
  const requests = db.selectFrom('idempotency_keys')
  const rows = await requests.select(['instance_id', 'path', 'key', 'request_hash']).execute()
  for (const { instance_id, path, key, request_hash } of rows) {
    const isPlain = path.startsWith(PLAIN_PATH)
    await db
      .updateTable('idempotency_keys')
      .set({
        request_hash: keyed(request_hash),
        path: isPlain ? `hmac:${keyed(path.slice(PLAIN_PATH.length))}` : path,
      })
      .where('instance_id', '=', instance_id)
      .where('path', '=', path)
      .where('key', '=', key)
      .execute()
  }
}
