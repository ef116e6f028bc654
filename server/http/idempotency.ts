import type { KeyRow } from '../db/rows.ts'
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
 * Requests that may come twice and must act once (contract section 17, safety section 3.2 rule 6).
 *
 * What a request does decides how its key is kept. A change of our own records is one transaction
 * that holds the key, the change and the answer, so none of the three can be without the others.
 * A call to a processor cannot be inside one: there the key is stored with the record that the call
 * is about to make, and until an answer is stored a repeat reads that record as it is now.
 *
 * A request that is refused stores nothing: it did nothing, and the same key may try again.
 */

const DAY_MS = 86_400_000
/** How long a repeated request is recognised: ordinary ones, and those that move money. */
const KEPT_MS = DAY_MS
const KEPT_MONEY_MS = 7 * DAY_MS
/** How long a request without a processor may run before it counts as having died. */
const RUNS_MS = 30_000

/**
 * Runs `act`, which writes to our own database only, in one transaction with the request's key, and
 * answers with what it answers. `act` works with the `deps` that it is handed, whose database is
 * that transaction.
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
    const answer = JSON.stringify(await act({ ...deps, db: tx }))
    if (request) await storeResponse(tx, request, answer)
    deps.failpoint('once-acted')
    return answer
  })
  deps.failpoint('once-stored')
  return body === undefined ? storedAnswer(deps, c, request as IdempotencyKey) : json(c, body)
}

/** Runs `act`, which may be run again without harm, and stores what it answered. */
export async function idempotentRepeatable(
  deps: Deps,
  c: AppContext,
  act: () => Promise<object>,
): Promise<Response> {
  const request = parseIdempotencyKey(deps, c)
  if (!request) return c.json(await act())
  const now = deps.realNow()
  const busyUntil = now + RUNS_MS
  const claimed = await inTransaction(
    deps.db,
    async (tx) =>
      (await reserveKey(tx, request, { now, keptMs: KEPT_MS, busyUntil })) ||
      // Its first request died halfway. What that did may be done again, so nothing is lost.
      reclaimKey(tx, request, { now, busyUntil }),
  )
  if (!claimed) return storedAnswer(deps, c, request)
  try {
    const body = JSON.stringify(await act())
    await inTransaction(deps.db, (tx) => storeResponse(tx, request, body))
    return json(c, body)
  } catch (error) {
    await inTransaction(deps.db, (tx) => deleteKey(tx, request))
    throw error
  }
}

/** Called in the transaction that stores the record which the processor is then asked about. */
export type ReserveKey = (tx: Tx, recordId: string) => Promise<void>

/** Somebody else's request with the same key came first. */
class AlreadyAsked extends Error {}

/**
 * Runs `act`, which calls a processor between two transactions. It is given the claim to make in
 * the first one. `reread` answers from the record as it stands now: for a repeat whose first
 * request died, or whose outcome was not known when it was answered.
 */
export async function idempotentOperation(
  deps: Deps,
  c: AppContext,
  verbs: {
    act: (claim: ReserveKey) => Promise<{ body: object; known: boolean }>
    reread: (recordId: string) => Promise<object>
    /** Milliseconds that the call may take. */
    callMs: number
  },
): Promise<Response> {
  const request = parseIdempotencyKey(deps, c)
  if (!request) return c.json((await verbs.act(async () => {})).body)
  const early = await replay(deps, c, request, verbs.reread)
  if (early) return early
  try {
    const { body, known } = await verbs.act(async (tx, recordId) => {
      const now = deps.realNow()
      const busyUntil = now + verbs.callMs
      const as = { now, keptMs: KEPT_MONEY_MS, busyUntil, recordId }
      if (!(await reserveKey(tx, request, as))) throw new AlreadyAsked()
    })
    const text = JSON.stringify(body)
    await inTransaction(deps.db, (tx) =>
      known ? storeResponse(tx, request, text) : releaseKey(tx, request, deps.realNow()),
    )
    return json(c, text)
  } catch (error) {
    if (!(error instanceof AlreadyAsked)) throw error
    const late = await replay(deps, c, request, verbs.reread)
    if (!late) throw stillRunning()
    return late
  }
}

/** The answer to a request that was made before; undefined when its key is not known. */
async function replay(
  deps: Deps,
  c: AppContext,
  request: IdempotencyKey,
  reread: (recordId: string) => Promise<object>,
): Promise<Response | undefined> {
  const row = await findKey(deps.db, request)
  const now = deps.realNow()
  if (!row || Date.parse(row.expires) <= now) return undefined
  refuseOther(row, request)
  if (row.body !== null) return json(c, row.body, { replayed: true })
  if (Date.parse(row.busy_until) > now || row.record_id === null) throw stillRunning()
  return json(c, JSON.stringify(await reread(row.record_id)), { replayed: true })
}

/** What a key that could not be claimed was answered; a ApiError when that is not known yet. */
async function storedAnswer(deps: Deps, c: AppContext, request: IdempotencyKey): Promise<Response> {
  const row = await findKey(deps.db, request)
  if (row) refuseOther(row, request)
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

function refuseOther(row: KeyRow, request: IdempotencyKey): void {
  if (row.request_hash === request.hash) return
  throw new ApiError('IDEMPOTENCY', 'This Idempotency-Key was used for another request')
}
