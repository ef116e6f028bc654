import { isDeepStrictEqual } from 'node:util'
import type { AccountChange } from '../../shared/schemas/account.ts'
import { OUTSIDE, isWithin } from '../../shared/schemas/common.ts'
import { fromJson, toJson } from '../db/json.ts'
import { invalid } from '../errors.ts'
import type { AccountRow } from './store.ts'

/**
 * Returns the columns that a change sets. Null clears a member, `address` is merged by member, and
 * `metadata` is replaced. `path` is where the members stand in the request, for error messages.
 */
export function accountColumns(
  stored: Pick<AccountRow, 'address' | 'metadata'>,
  { address, metadata, mail_notices, ...members }: AccountChange,
  path: string,
): Partial<AccountRow> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(present),
    ...(address === undefined ? {} : { address: mergeAddress(stored.address, address, path) }),
    ...(mail_notices === undefined ? {} : { mail_notices: mail_notices ? 1 : 0 }),
    ...(metadata === undefined ? {} : { metadata: metadataJson(stored.metadata, metadata ?? {}) }),
  }
}

/** Keeps the stored text when it is equal: another order of the members is no change. */
function metadataJson(stored: string, metadata: Record<string, string>): string {
  return isDeepStrictEqual(JSON.parse(stored), metadata) ? stored : JSON.stringify(metadata)
}

function mergeAddress(
  stored: string | null,
  change: AccountChange['address'],
  path: string,
): string | null {
  if (change == null) return null
  const merged = new Map(Object.entries(fromJson<Record<string, string>>(stored) ?? {}))
  for (const [line, value] of Object.entries(change)) {
    if (value === null) merged.delete(line)
    else if (value !== undefined) merged.set(line, value)
  }
  const changesPlace = change.line6 != null || change.country != null
  if (changesPlace && !isWithin(merged.get('line6'), merged.get('country'))) {
    throw invalid(`${path}.address.line6`, OUTSIDE)
  }
  return toJson(merged.size === 0 ? null : Object.fromEntries(merged))
}
