import { createHash } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/tx.ts'
import type { Db, IdempotencyKeysTable, Tables, Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { Refusal, invalid } from './refusal.ts'
import type { AppContext } from './router.ts'

/**
 * Requests that may come twice and must act once (contract section 17, safety section 3.2 rule 6).
 *
 * What a request does decides how its key is kept. A change of our own records is one transaction
 * that holds the key, the change and the answer, so none of the three can be without the others.
 * A call to a processor cannot be inside one: there the key is stored with the record that the call
 * is about to make, and until an answer is stored a repeat reads that record as it is now.
 */

const DAY_MS = 86_400_000
/** How long a repeated request is recognised: ordinary ones, and those that move money. */
const KEPT_MS = DAY_MS
const KEPT_MONEY_MS = 7 * DAY_MS
/** How long a request without a processor may run before it counts as having died. */
const RUNS_MS = 30_000

interface RequestKey {
  instanceId: string
  path: string
  key: string
  hash: string
}

type KeyRow = Selectable<IdempotencyKeysTable>

/** Runs `act`, which writes to our own database only, in one transaction with the request's key. */
export async function once(
  deps: Deps,
  c: AppContext,
  act: (deps: Deps) => Promise<object>,
): Promise<Response> {
  const request = readRequestKey(c)
  const now = deps.now()
  const body = await inTransaction(deps.db, async (tx) => {
    if (request && !(await claim(tx, request, { now, keptMs: KEPT_MS, busyUntil: now }))) {
      return undefined
    }
    const answer = JSON.stringify(await act({ ...deps, db: tx }))
    if (request) await store(tx, request, answer)
    return answer
  })
  if (body !== undefined) return json(c, body)
  const known = await recall(deps.db, request as RequestKey)
  return json(c, known.body ?? '', true)
}

/** Runs `act`, which may be run again without harm, and stores what it answered. */
export async function onceRepeatable(
  deps: Deps,
  c: AppContext,
  act: () => Promise<object>,
): Promise<Response> {
  const request = readRequestKey(c)
  if (!request) return c.json(await act())
  const now = deps.now()
  const claimed = await inTransaction(deps.db, async (tx) =>
    (await claim(tx, request, { now, keptMs: KEPT_MS, busyUntil: now + RUNS_MS }))
      ? true
      : takeOver(tx, request, now),
  )
  if (!claimed) {
    const known = await recall(deps.db, request)
    if (known.body !== null) return json(c, known.body, true)
    throw stillRunning()
  }
  try {
    const body = JSON.stringify(await act())
    await inTransaction(deps.db, (tx) => store(tx, request, body))
    return json(c, body)
  } catch (error) {
    // Nothing came of it, so the same key may try again.
    await inTransaction(deps.db, (tx) => forget(tx, request))
    throw error
  }
}

/** Called in the transaction that stores the record which the processor is then asked about. */
export type Claim = (tx: Tx, recordId: string) => Promise<void>

/** Somebody else's request with the same key came first. */
class AlreadyAsked extends Error {}

/**
 * Runs `act`, which calls a processor between two transactions. It is given the claim to make in
 * the first one. `reread` answers from the record as it stands now: for a repeat whose first
 * request died, or whose outcome was not known when it was answered.
 */
export async function onceWithProcessor(
  deps: Deps,
  c: AppContext,
  verbs: {
    act: (claim: Claim) => Promise<{ body: object; known: boolean }>
    reread: (recordId: string) => Promise<object>
    /** Milliseconds that the call may take. */
    callMs: number
  },
): Promise<Response> {
  const request = readRequestKey(c)
  if (!request) return c.json((await verbs.act(async () => {})).body)
  const early = await replay(deps, c, request, verbs.reread)
  if (early) return early
  try {
    const { body, known } = await verbs.act(async (tx, recordId) => {
      const now = deps.now()
      const busyUntil = now + verbs.callMs
      const isFirst = await claim(tx, request, { now, keptMs: KEPT_MONEY_MS, busyUntil, recordId })
      if (!isFirst) throw new AlreadyAsked()
    })
    const text = JSON.stringify(body)
    await inTransaction(deps.db, (tx) =>
      known ? store(tx, request, text) : release(tx, request, formatInstant(deps.now())),
    )
    return json(c, text)
  } catch (error) {
    if (!(error instanceof AlreadyAsked)) throw error
    const late = await replay(deps, c, request, verbs.reread)
    if (!late) throw new Error('an idempotency key is gone while it is claimed', { cause: error })
    return late
  }
}

async function replay(
  deps: Deps,
  c: AppContext,
  request: RequestKey,
  reread: (recordId: string) => Promise<object>,
): Promise<Response | undefined> {
  const row = await find(deps.db, request)
  const now = formatInstant(deps.now())
  if (!row || row.expires <= now) return undefined
  refuseOther(row, request)
  if (row.body !== null) return json(c, row.body, true)
  if (row.busy_until > now) throw stillRunning()
  return json(c, JSON.stringify(await reread(row.record_id ?? '')), true)
}

/** Removes keys that are no longer recognised. */
export async function pruneIdempotencyKeys(deps: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deps.db
    .deleteFrom('idempotency_keys')
    .where('expires', '<=', formatInstant(deps.now()))
    .execute()
}

function json(c: AppContext, body: string, replayed = false): Response {
  if (replayed) c.header('Idempotent-Replayed', 'true')
  return c.body(body, 200, { 'Content-Type': 'application/json' })
}

function stillRunning(): Refusal {
  return new Refusal('CONFLICT', 'A request with this Idempotency-Key is still running', {
    headers: { 'Retry-After': '1' },
  })
}

/** The header, with the quotes that a structured field has taken off; undefined without one. */
function readRequestKey(c: AppContext): RequestKey | undefined {
  const header = c.req.header('idempotency-key')
  if (header === undefined) return undefined
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
  }
  const path = areaPath(c.req.path)
  const hash = createHash('sha256')
    .update(`${c.req.method} ${path}\n`)
    .update(c.get('bodyBytes'))
    .digest('hex')
  return { instanceId: c.get('instance').id, path, key, hash }
}

/** The same operation has one path, whichever of the two prefixes it is called by. */
function areaPath(path: string): string {
  return path.replace(/^\/c\/api(?:\/instances\/[^/]+)?/, '')
}

/** Stores the key of a first request; false when the key is known and still recognised. */
async function claim(
  tx: Tx,
  request: RequestKey,
  as: { now: number; keptMs: number; busyUntil: number; recordId?: string },
): Promise<boolean> {
  const fresh = {
    request_hash: request.hash,
    record_id: as.recordId ?? null,
    status: null,
    body: null,
    busy_until: formatInstant(as.busyUntil),
    expires: formatInstant(as.now + as.keptMs),
    created: formatInstant(as.now),
  }
  const result = await tx
    .insertInto('idempotency_keys')
    .values({
      instance_id: request.instanceId,
      path: request.path,
      key: request.key,
      ...fresh,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['instance_id', 'path', 'key'])
        .doUpdateSet(fresh)
        .where('idempotency_keys.expires', '<=', formatInstant(as.now)),
    )
    .returning('key')
    .executeTakeFirst()
  return result !== undefined
}

/** Takes the key of a request that died halfway. Its work may be done again, so nothing is lost. */
async function takeOver(tx: Tx, request: RequestKey, now: number): Promise<boolean> {
  const taken = await tx
    .updateTable('idempotency_keys')
    .set({ busy_until: formatInstant(now + RUNS_MS) })
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .where('body', 'is', null)
    .where('busy_until', '<=', formatInstant(now))
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

async function store(tx: Tx, request: RequestKey, body: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status: 200, body })
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .execute()
}

/** The answer is given, but not the last word: a repeat reads the record. */
async function release(tx: Tx, request: RequestKey, now: string): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ busy_until: now })
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .execute()
}

async function forget(tx: Tx, request: RequestKey): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where(identity(request))
    .where('request_hash', '=', request.hash)
    .where('body', 'is', null)
    .execute()
}

/** A key within its instance and path. */
function identity(request: RequestKey) {
  return (eb: ExpressionBuilder<Tables, 'idempotency_keys'>) =>
    eb.and([
      eb('instance_id', '=', request.instanceId),
      eb('path', '=', request.path),
      eb('key', '=', request.key),
    ])
}

async function find(db: Db, request: RequestKey): Promise<KeyRow | undefined> {
  return db.selectFrom('idempotency_keys').selectAll().where(identity(request)).executeTakeFirst()
}

/** The row of a key that could not be claimed; 422 when it belongs to another request. */
async function recall(db: Db, request: RequestKey): Promise<KeyRow> {
  const row = await find(db, request)
  if (!row) throw stillRunning()
  refuseOther(row, request)
  return row
}

function refuseOther(row: KeyRow, request: RequestKey): void {
  if (row.request_hash === request.hash) return
  throw new Refusal('IDEMPOTENCY', 'This Idempotency-Key was used for another request')
}
