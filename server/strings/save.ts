import type { Instance } from '../db/tables/instances.ts'
import type { StringChange, StringRecord } from '../../shared/schemas/string.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { LockTimeout } from '../db/named-locks.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { recordEvent } from '../events/record-event.ts'
import { ApiError } from '../errors.ts'
import { lockInstance } from '../instances/store.ts'
import { parseSet } from '../../shared/rules/string-ids.ts'
import { stringIdError, stringTextError } from './catalog.ts'
import { resolveString, type StringScope } from '../../shared/rules/inherit.ts'
import { stringLayers } from './resolve.ts'
import { parseScope, requireScope, stringsError } from './scope.ts'
import { serializeString } from './serialize.ts'
import { offerLanguage } from './languages.ts'
import { incrementStringsVersion, deleteString, upsertString, findStrings } from './store.ts'

/** How long a request waits for other writes to the same branding. */
export const WRITE_WAIT_MS = 10_000

/**
 * Saves strings of one language and branding. Returns them as they now resolve, in the same order.
 *
 * Validates everything before it writes. Each set is written in its own transaction, so a failure
 * keeps the sets before it, and the same request can be sent again. Writes to one branding run one
 * after another. `path` is the prefix of the first item in error messages, such as `string.`.
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

/** Validates all items and returns the scope that they share. */
function validateItems(
  instance: Instance,
  items: readonly StringChange[],
  path: string,
): StringScope {
  const scope = parseScope(items[0] as StringChange)
  for (const item of items) {
    const { language, branding } = parseScope(item)
    if (language !== scope.language || branding !== scope.branding) {
      throw stringsError(
        'SVC-7005',
        'All strings of one request must have one language and one branding',
      )
    }
  }
  requireScope(instance, scope, path)
  for (const { id, text } of items) {
    const problem = stringIdError(id, scope.language)
    if (problem) throw stringsError('SVC-7002', `${id} ${problem}`)
    const textError = stringTextError(id, text)
    if (textError) throw stringsError('SVC-7007', `${id} ${textError}`)
  }
  return scope
}

const RESPONSE_CHARACTERS_MAX = 10_000_000

/**
 * Limits the response to a request that repeats ids: each item is returned with its text and the text
 * that it overrides, so a small request could cause a response of gigabytes.
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
  if (characters > RESPONSE_CHARACTERS_MAX) {
    throw stringsError('SVC-7001', 'strings must not repeat ids with long texts so often')
  }
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
 * Writes one set and records `strings.updated` with the ids whose override changed. The last item of
 * an id counts.
 */
async function writeSet(
  tx: Tx,
  instanceId: string,
  scope: StringScope,
  items: readonly StringChange[],
  now: number,
): Promise<void> {
  // The branding may have been deleted, with its strings, while this waited for the lock.
  if (scope.branding !== '') requireScope(await lockInstance(tx, instanceId), scope, '')
  const texts = new Map(items.map(({ id, text }) => [id, normalizeText(text)]))
  const readLayers = async () =>
    stringLayers(scope, await findStrings(tx, instanceId, scope, [...texts.keys()]))
  let layers = await readLayers()
  const changed: string[] = []
  // Plural forms inherit from `_other`, which is therefore written first.
  for (const [id, text] of [...texts].toSorted(([a], [b]) => writeOrder(a) - writeOrder(b))) {
    const current = resolveString(layers, id)
    // Compared with the inherited text, not the current one: a repeated override must not remove it.
    const inherits = text === normalizeText(current?.inherited ?? '')
    const overridden = current?.overriding !== undefined
    if (inherits && overridden) await deleteString(tx, instanceId, scope, id)
    else if (!inherits && current?.text !== text)
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

/** Normalizes Unicode and line ends, so that equal texts compare equal. */
function normalizeText(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n')
}
