import type { Instance } from '../db/tables/instances.ts'
import type { StringChange, StringRecord } from '../../shared/schemas/string.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { lockInstance } from '../instances/store.ts'
import { parseSet } from '../../shared/rules/string-ids.ts'
import { stringIdError, stringTextError } from './catalog.ts'
import { resolveString, type StringScope } from '../../shared/rules/inherit.ts'
import { stringLayers } from './resolve.ts'
import { parseScope, requireScope, stringsError } from './scope.ts'
import { readScope } from './serialize.ts'
import { findStrings } from './store.ts'
import { newRevision, recordRevision } from './revision-store.ts'
import { withStringLocks } from './locks.ts'
import { type TextChange, writeStrings } from './write.ts'

/**
 * Saves strings of one language and branding. Returns them as they now resolve, in the same order.
 *
 * Validates everything before it writes. Each set is written in its own transaction, so a failure
 * keeps the sets before it, and the same request can be sent again. Writes to one branding run one
 * after another. `path` is the prefix of the first item in error messages, such as `string.`. `by` is
 * the id of the caller's session.
 */
export async function saveStrings(
  deps: Deps,
  instance: Instance,
  items: readonly StringChange[],
  { by, path = 'strings.0.' }: { by: string; path?: string },
): Promise<StringRecord[]> {
  const [first] = items
  if (!first) return []
  const scope = validateItems(instance, items, path)
  await limitResponseSize(deps, instance, { scope, items })
  // The last item of an id counts.
  const texts = new Map(items.map(({ id, text }) => [id, text]))
  const changes = [...texts].map(([id, text]) => ({ ...scope, id, text }))
  await withStringLocks(deps, instance.id, [scope.branding], 'INVALID_REQUEST', (db) =>
    writeSets({ ...deps, db }, instance.id, by, changes),
  )
  const recordOf = await readScope(deps.db, instance.id, scope, [...texts.keys()])
  // A request may repeat an id up to its limit of items, and each record takes time to resolve.
  const records = new Map([...texts.keys()].map((id) => [id, recordOf(id)]))
  return items.map(({ id }) => records.get(id) as StringRecord)
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
  instanceId: string,
  by: string,
  changes: readonly TextChange[],
): Promise<void> {
  const revision = newRevision({ instanceId, by, now: deps.now() })
  const sets = Map.groupBy(changes, ({ id }) => parseSet(id))
  for (const members of sets.values()) {
    await inTransaction(deps.db, async (tx) => {
      const instance = await lockInstance(tx, instanceId)
      // The branding may have been deleted, with its strings, while this waited for the lock.
      for (const member of members.slice(0, 1)) requireScope(instance, member, '')
      const written = await writeStrings(tx, { instanceId, by, now: deps.now() }, members)
      const stored = await recordRevision(tx, revision, written)
      if (!stored) return
      await recordAudit(tx, {
        at: deps.realNow(),
        by: { type: 'SESSION', id: by },
        of: { instance: instanceId },
        action: 'strings.published',
        about: stored.id,
        detail: { changes: written.changes.length },
      })
    })
    deps.failpoint('strings-set-stored')
  }
}
