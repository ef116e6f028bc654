import {
  baseIdOf,
  isBaseChange,
  resolveString,
  type StringLayers,
  type StringScope,
} from './inherit.ts'
import { otherFormId } from './string-ids.ts'

/**
 * Why a text may no longer say what it should:
 * - `BASE_CHANGED`: a shipped translation, whose base text the merchant has changed.
 * - `OLDER`: the merchant's translation is older than the merchant's base text.
 * - `SHIPPED_CHANGED`: an upgrade changed the shipped text that the merchant had replaced.
 */
export const STALE_REASONS = ['BASE_CHANGED', 'OLDER', 'SHIPPED_CHANGED'] as const

export type StaleReason = (typeof STALE_REASONS)[number]

/** When the merchant last changed a string, and whether the shipped text is another one since. */
export interface StringRow {
  /** ISO 8601 in UTC with milliseconds. */
  updated: string
  shippedChanged: boolean
}

/** Returns the merchant's row of an id in a scope; undefined without one. */
export type RowLookup = (scope: StringScope, id: string) => StringRow | undefined

/** Returns why the text of an id is stale in a scope, or undefined. */
export function staleReason(
  layers: StringLayers,
  id: string,
  rowOf: RowLookup,
): StaleReason | undefined {
  if (resolveString(layers, id)?.stale) return 'BASE_CHANGED'
  const all = [layers.own, ...layers.inherited]
  const shown = all.find(({ strings }) => strings !== undefined && Object.hasOwn(strings, id))
  const other = shown ? undefined : otherFormId(layers.base, id)
  if (other !== undefined) return staleReason(layers, other, rowOf)
  if (shown?.source !== 'MERCHANT') return undefined
  const row = rowOf(shown, id)
  const base = all.find((layer) => isBaseChange(layers, layer, id))
  const baseRow = base && rowOf(base, baseIdOf(layers, id))
  if (row && baseRow && shown.language !== 'default' && row.updated < baseRow.updated)
    return 'OLDER'
  return shown === layers.own && row?.shippedChanged ? 'SHIPPED_CHANGED' : undefined
}
