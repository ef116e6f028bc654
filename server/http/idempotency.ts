import type { KeyRow } from '../db/tables/idempotency-keys.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import {
  reserveKey,
  findKey,
  deleteKey,
  releaseKey,
  storeResponse,
  reclaimKey,
} from './idempotency-store.ts'
import { ApiError } from '../errors.ts'
import { parseIdempotencyKey, type IdempotencyKey } from './idempotency-key.ts'
import type { AppContext } from './router.ts'

/**
 * Processes repeated requests once.
 *
 * How a key is stored depends on the request. A change of our own records is one transaction with
 * the key, the change and the response. A call to a processor cannot be part of a transaction: the
 * key is stored with the record of the operation before the call, and until a response is stored, a
 * repeated request reads that record.
 *
 * A rejected request stores nothing, so the same key may be used again.
 */

const DAY_MS = 86_400_000
/** How long a repeated request is recognized: in general, and if it moves money. */
const KEPT_MS = DAY_MS
const KEPT_MONEY_MS = 7 * DAY_MS
/** After this time, a request without a processor call counts as interrupted. */
const RUNS_MS = 30_000

/**
 * Runs `act`, which only writes to our own database, in one transaction with the key of the
 * request. `act` must use the `deps` that it receives, whose database is that transaction.
 */
export async function idempotent(
  deps: Deps,
  c: AppContext,
  act: (deps: Deps) => Promise<object>,
): Promise<Response> {
  const request = parseIdempotencyKey(deps, c)
  const now = deps.realNow()
  const body = await inTransaction(deps.db, async (tx) => {
    if (request && !(await reserveKey(tx, request, { now, keptMs: KEPT_MS, busyUntil: now }))) {
      return undefined
    }
    const response = JSON.stringify(await act({ ...deps, db: tx }))
    if (request) await storeResponse(tx, request, response)
    deps.failpoint('once-acted')
    return response
  })
  deps.failpoint('once-stored')
  return body === undefined ? storedResponse(deps, c, request as IdempotencyKey) : json(c, body)
}

/** Runs `act`, which is safe to repeat, and stores its response. */
export async function idempotentRepeatable(
  deps: Deps,
  c: AppContext,
  act: () => Promise<object>,
): Promise<Response> {
  const request = parseIdempotencyKey(deps, c)
  if (!request) return c.json(await act())
  const now = deps.realNow()
  const busyUntil = now + RUNS_MS
  const reserved = await inTransaction(
    deps.db,
    async (tx) =>
      (await reserveKey(tx, request, { now, keptMs: KEPT_MS, busyUntil })) ||
      // The first request was interrupted. Repeating it is safe.
      reclaimKey(tx, request, { now, busyUntil }),
  )
  if (!reserved) return storedResponse(deps, c, request)
  try {
    const body = JSON.stringify(await act())
    await inTransaction(deps.db, (tx) => storeResponse(tx, request, body))
    return json(c, body)
  } catch (error) {
    await inTransaction(deps.db, (tx) => deleteKey(tx, request))
    throw error
  }
}

/** Reserves the key in the transaction that stores the record of the operation. */
export type ReserveKey = (tx: Tx, recordId: string) => Promise<void>

/** A concurrent request with the same key came first. */
class KeyTaken extends Error {}

/**
 * Runs `act`, which calls a processor between two transactions and must reserve the key in the
 * first one. `reread` returns the current record, for a repeated request whose first one was
 * interrupted or returned no final outcome.
 */
export async function idempotentOperation(
  deps: Deps,
  c: AppContext,
  operation: {
    act: (reserve: ReserveKey) => Promise<{ body: object; isFinal: boolean }>
    reread: (recordId: string) => Promise<object>
    /** Maximum duration of the call in milliseconds. */
    callMs: number
  },
): Promise<Response> {
  const request = parseIdempotencyKey(deps, c)
  if (!request) return c.json((await operation.act(async () => {})).body)
  const stored = await replay(deps, c, request, operation.reread)
  if (stored) return stored
  try {
    const { body, isFinal } = await operation.act(async (tx, recordId) => {
      const now = deps.realNow()
      const busyUntil = now + operation.callMs
      const as = { now, keptMs: KEPT_MONEY_MS, busyUntil, recordId }
      if (!(await reserveKey(tx, request, as))) throw new KeyTaken()
    })
    const text = JSON.stringify(body)
    await inTransaction(deps.db, (tx) =>
      isFinal ? storeResponse(tx, request, text) : releaseKey(tx, request, deps.realNow()),
    )
    return json(c, text)
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error
    const concurrent = await replay(deps, c, request, operation.reread)
    if (!concurrent) throw stillRunning()
    return concurrent
  }
}

/** Returns the stored response; undefined if the key is unknown. */
async function replay(
  deps: Deps,
  c: AppContext,
  request: IdempotencyKey,
  reread: (recordId: string) => Promise<object>,
): Promise<Response | undefined> {
  const row = await findKey(deps.db, request)
  const now = deps.realNow()
  if (!row || Date.parse(row.expires) <= now) return undefined
  requireSameRequest(row, request)
  if (row.body !== null) return json(c, row.body, { replayed: true })
  if (Date.parse(row.busy_until) > now || row.record_id === null) throw stillRunning()
  return json(c, JSON.stringify(await reread(row.record_id)), { replayed: true })
}

/** Returns the stored response of an existing key. Throws a 409 ApiError while there is none. */
async function storedResponse(
  deps: Deps,
  c: AppContext,
  request: IdempotencyKey,
): Promise<Response> {
  const row = await findKey(deps.db, request)
  if (row) requireSameRequest(row, request)
  if (row?.body == null) throw stillRunning()
  return json(c, row.body, { replayed: true })
}

function json(c: AppContext, body: string, { replayed = false } = {}): Response {
  if (replayed) c.header('Idempotent-Replayed', 'true')
  return c.body(body, 200, { 'Content-Type': 'application/json' })
}

function stillRunning(): ApiError {
  return new ApiError('CONFLICT', 'A request with this Idempotency-Key is still running', {
    headers: { 'Retry-After': '1' },
  })
}

function requireSameRequest(row: KeyRow, request: IdempotencyKey): void {
  if (row.request_hash === request.hash) return
  throw new ApiError('IDEMPOTENCY', 'This Idempotency-Key was used for another request')
}
