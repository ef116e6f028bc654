import ISO6391 from 'iso-639-1'
import type { Instance } from '../db/rows.ts'
import type { StringChange, StringRecord } from '../../shared/schemas/string.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { LockTimeout } from '../db/named-locks.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import { ApiError } from '../errors.ts'
import { brandingsOf } from '../instances/brandings.ts'
import { lockInstance } from '../instances/store.ts'
import { idProblem, parseSet, textProblem } from './catalog.ts'
import { stringLayers, resolveString, type StringScope } from './resolve.ts'
import { serializeString } from './serialize.ts'
import { offerLanguage } from './languages.ts'
import { incrementStringsVersion, deleteString, upsertString, findStrings } from './store.ts'

/** Saving wording (specification: Strings, rules 1 to 8; contract sections 14.3 and 14.5). */

/** How long a write waits for the one before it. */
export const WRITE_WAIT_MS = 10_000

/**
 * Saves items of one language and branding and answers them, in their order, as they now read.
 *
 * Everything is checked before anything is written. Then the sets are written one after another,
 * each in a transaction of its own: a failure in the third leaves the first two, and sending the
 * same again converges. Writes to one branding queue. `path` is where the first item stands in the
 * request, with a dot behind it.
 */
export async function saveStrings(
  deps: Deps,
  instance: Instance,
  items: readonly StringChange[],
  path = 'strings.0.',
): Promise<StringRecord[]> {
  const [first] = items
  if (!first) return []
  const scope = validateItems(instance, items, path)
  await limitResponseSize(deps, instance, { scope, items })
  const queue = `strings/${instance.id}/${scope.branding}`
  try {
    await deps.locks.withLock(queue, { waitMs: WRITE_WAIT_MS }, (db) =>
      writeSets({ ...deps, db }, instance, scope, items),
    )
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error
    throw new ApiError('INVALID_REQUEST', 'Another write to this branding is still running', {
      code: 'SVC-7059',
      headers: { 'Retry-After': '1' },
      recordedAs: { event: 'strings_queue_refused' },
    })
  }
  const ids = items.map(({ id }) => id)
  const layers = stringLayers(
    scope,
    await findStrings(deps.db, instance.id, scope, [...new Set(ids)]),
  )
  return ids.map((id) => serializeString(scope, layers, id))
}

/** Checks all items and answers the one scope that they share. */
function validateItems(
  instance: Instance,
  items: readonly StringChange[],
  path: string,
): StringScope {
  const scope = scopeOf(items[0] as StringChange)
  for (const item of items) {
    const { language, branding } = scopeOf(item)
    if (language !== scope.language || branding !== scope.branding) {
      throw stringsError(
        'SVC-7005',
        'All strings of one request must have one language and one branding',
      )
    }
  }
  requireScope(instance, scope, path)
  for (const { id, text } of items) {
    const problem = idProblem(id, scope.language)
    if (problem) throw stringsError('SVC-7002', `${id} ${problem}`)
    const wrong = textProblem(id, text)
    if (wrong) throw stringsError('SVC-7007', `${id} ${wrong}`)
  }
  return scope
}

const ANSWER_CHARACTERS_MAX = 10_000_000

/**
 * Refuses items that stand so often that answering each with its wording, and with what that
 * replaces, would make gigabytes out of a small request.
 */
async function limitResponseSize(
  deps: Deps,
  instance: Instance,
  { scope, items }: { scope: StringScope; items: readonly StringChange[] },
): Promise<void> {
  const last = new Map(items.map(({ id, text }) => [id, text]))
  if (last.size === items.length) return
  const ids = [...last.keys()]
  const layers = stringLayers(scope, await findStrings(deps.db, instance.id, scope, ids))
  const lengths = new Map(
    ids.map((id) => {
      const inherited = resolveString(layers, id)?.inherited ?? ''
      return [id, (last.get(id)?.length ?? 0) + inherited.length]
    }),
  )
  const characters = items.reduce((sum, { id }) => sum + (lengths.get(id) ?? 0), 0)
  if (characters > ANSWER_CHARACTERS_MAX) {
    throw stringsError('SVC-7001', 'strings must not repeat ids with long texts so often')
  }
}

function scopeOf(item: StringChange): StringScope {
  return { language: item.language ?? 'default', branding: item.branding ?? '' }
}

/**
 * Refuses a language or branding that this instance cannot have. `path` is where they stand in the
 * request, with a dot behind it, and empty for a query.
 */
export function requireScope(
  instance: Instance,
  { language, branding }: StringScope,
  path: string,
): void {
  if (language !== 'default' && !(/^[a-z]{2}$/.test(language) && ISO6391.validate(language))) {
    throw stringsError('SVC-7003', `${path}language must be a two-letter ISO 639-1 code or default`)
  }
  if (branding !== '' && !brandingsOf(instance).some(({ key }) => key === branding)) {
    throw stringsError('SVC-7004', `${path}branding does not belong to this instance`)
  }
}

/** 400 of the strings area, in its flat shape. */
export function stringsError(code: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { code })
}

async function writeSets(
  deps: Deps,
  instance: Instance,
  scope: StringScope,
  items: readonly StringChange[],
): Promise<void> {
  const sets = Map.groupBy(items, ({ id }) => parseSet(id))
  for (const members of sets.values()) {
    await inTransaction(deps.db, (tx) => writeSet(tx, instance.id, scope, members, deps.now()))
    deps.failpoint('strings-set-stored')
  }
}

/**
 * Writes one set, and records `strings.updated` with the ids whose wording at this scope changed.
 * Of an id that stands twice the last one counts.
 */
async function writeSet(
  tx: Tx,
  instanceId: string,
  scope: StringScope,
  items: readonly StringChange[],
  now: number,
): Promise<void> {
  // While this waited for its turn the branding may have been dropped, and its wording with it.
  if (scope.branding !== '') requireScope(await lockInstance(tx, instanceId), scope, '')
  const wanted = new Map(items.map(({ id, text }) => [id, normalizeText(text)]))
  const readLayers = async () =>
    stringLayers(scope, await findStrings(tx, instanceId, scope, [...wanted.keys()]))
  let layers = await readLayers()
  const changed: string[] = []
  // A plural form inherits from the form _other, which is therefore written before it.
  for (const [id, text] of [...wanted].toSorted(([a], [b]) => writeOrder(a) - writeOrder(b))) {
    const stands = resolveString(layers, id)
    // Compared with what is inherited and not with what is shown: sending an override twice must
    // not remove it.
    const inherits = text === normalizeText(stands?.inherited ?? '')
    const overridden = stands?.overriding !== undefined
    if (inherits && overridden) await deleteString(tx, instanceId, scope, id)
    else if (!inherits && stands?.text !== text)
      await upsertString(tx, instanceId, scope, { id, text, now: formatInstant(now) })
    else continue
    changed.push(id)
    if (writeOrder(id) === 0) layers = await readLayers()
  }
  if (changed.length === 0) return
  if (scope.language !== 'default') await offerLanguage(tx, instanceId, scope.language, now)
  await incrementStringsVersion(tx, instanceId)
  const strings = { language: scope.language, branding: scope.branding || null, ids: changed }
  await recordEvent(tx, { instanceId, type: 'strings.updated', data: { strings }, now })
}

function writeOrder(id: string): number {
  return id.endsWith('_other') ? 0 : 1
}

/** One spelling for what looks the same, so that it also compares the same. */
function normalizeText(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n')
}
