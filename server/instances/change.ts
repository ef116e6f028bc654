import { isDeepStrictEqual } from 'node:util'
import ISO6391 from 'iso-639-1'
import type { Instance } from '../db/tables/instances.ts'
import type { InstanceChange } from '../../shared/schemas/instance.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { toJson } from '../db/json.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { parseMinorUnits } from '../amount.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid } from '../errors.ts'
import { serializeInstance } from './serialize.ts'
import { getInstance, updateInstance } from './store.ts'
import { lockTwins, type MayChange, writeTwin } from './twin.ts'

/** Access to the strings of brandings. */
export interface BrandingStrings {
  /** Returns the brandings that have strings. */
  used: (tx: Tx, instanceId: string) => Promise<string[]>
  /** Deletes the strings of a branding. */
  drop: (tx: Tx, instanceId: string, branding: string) => Promise<void>
}

interface ChangeOptions {
  force: boolean
  wording: BrandingStrings
  by: AuditActor
  /** The version in `If-Match`. */
  ifMatch: number | undefined
  /** Whether the caller may change another instance of the merchant. */
  mayChange: MayChange
}

/**
 * Changes the given members. `brandings` is replaced as a whole. A branding with strings can only
 * be removed with `force`, because its strings are deleted too.
 */
export async function changeInstance(
  deps: Pick<Deps, 'db' | 'now' | 'realNow'>,
  id: string,
  change: InstanceChange,
  options: ChangeOptions,
): Promise<Instance> {
  validateChange(change)
  return retryOnConflict('Instance', () =>
    inTransaction(deps.db, (tx) => changeOnce(tx, deps, id, change, options)),
  )
}

/** Members that limit what users refund. */
export const REFUND_LIMITS = ['step_up_refund', 'support_refund_max'] as const

async function changeOnce(
  tx: Tx,
  deps: Pick<Deps, 'now' | 'realNow'>,
  id: string,
  change: InstanceChange,
  options: ChangeOptions,
): Promise<Instance | undefined> {
  const stored = await getInstance(tx, id)
  expectVersion('Instance', stored, options.ifMatch)
  const next = { ...stored, ...changedColumns(change) }
  for (const name of REFUND_LIMITS) {
    const limit = next[name]
    if (limit !== null) parseMinorUnits(`instance.${name}`, limit, next.default_currency)
  }
  const members = changedMembers(serializeInstance(stored), serializeInstance(next))
  if (members.length === 0) return stored
  const now = formatInstant(deps.now())
  const row = { ...next, updated: now, v: stored.v + 1 }
  const movesTwin = row.twin !== stored.twin
  const twin = movesTwin ? await lockTwins(tx, stored, row.twin, options.mayChange) : undefined
  if (!(await updateInstance(tx, row, stored.v))) return undefined
  const others = movesTwin ? await writeTwin(tx, stored, twin, now) : []
  if (change.brandings) {
    const kept = new Set(change.brandings.map(({ key }) => key))
    const lost = (await options.wording.used(tx, id)).filter((key) => !kept.has(key))
    for (const key of lost) {
      if (!options.force) {
        throw invalid('instance.brandings', `removes ${key}, which has strings; send force: true`)
      }
      await options.wording.drop(tx, id, key)
    }
  }
  const entry = { at: deps.realNow(), by: options.by, action: 'instance.changed' } as const
  await recordAudit(tx, { ...entry, of: { instance: id }, about: id, detail: { members } })
  for (const other of others) {
    const of = { instance: other }
    await recordAudit(tx, { ...entry, of, about: other, detail: { members: ['twin'] } })
  }
  return row
}

/** Returns the names of the members that differ. */
function changedMembers<Record extends object>(before: Record, after: Record): string[] {
  const names = Object.keys(after) as (keyof Record & string)[]
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
}

function validateChange({ languages = [], brandings = [] }: InstanceChange): void {
  for (const [at, code] of (languages ?? []).entries()) {
    if (code !== 'default' && !ISO6391.validate(code)) {
      throw invalid(`instance.languages.${at}`, 'must be an ISO 639-1 code or default')
    }
  }
  requireDistinct(brandings.map(({ key }, at) => [`instance.brandings.${at}.key`, key]))
  requireDistinct(
    brandings.flatMap(({ channels }, at) =>
      channels.map((channel, n) => [`instance.brandings.${at}.channels.${n}`, channel] as const),
    ),
  )
}

function requireDistinct(values: readonly (readonly [path: string, value: string])[]): void {
  const paths = new Map<string, string>()
  for (const [path, value] of values) {
    const first = paths.get(value)
    if (first !== undefined) throw invalid(path, `must differ from ${first}`)
    paths.set(value, path)
  }
}

function changedColumns(change: InstanceChange): Partial<Instance> {
  const { languages, allowed_origins, theme, link_saved_methods, brandings, ...unchanged } = change
  return {
    ...unchanged,
    ...(languages === undefined ? {} : { languages: toJson(languages) }),
    ...(allowed_origins === undefined ? {} : { allowed_origins: JSON.stringify(allowed_origins) }),
    ...(theme === undefined ? {} : { theme: toJson(theme) }),
    ...(link_saved_methods === undefined ? {} : { link_saved_methods: link_saved_methods ? 1 : 0 }),
    ...(brandings === undefined ? {} : { brandings: JSON.stringify(brandings) }),
  }
}
