import { baseIdOf, resolveString, type StringScope } from '../../shared/rules/inherit.ts'
import { staleReason } from '../../shared/rules/stale.ts'
import type { StringRecord } from '../../shared/schemas/string.ts'
import type { Db } from '../db/tables.ts'
import { findAcks } from './ack-store.ts'
import { stringLayers } from './resolve.ts'
import { hashText, shippedText } from './shipped.ts'
import { loadScope } from './store.ts'

/**
 * Reads the strings of a scope, or those with some ids, and returns a function that makes the record of
 * one of them.
 */
export async function readScope(
  db: Db,
  instanceId: string,
  scope: StringScope,
  ids?: readonly string[],
): Promise<(id: string) => StringRecord> {
  const rows = await loadScope(db, instanceId, scope, ids)
  const acks = await findAcks(db, instanceId, scope)
  const layers = stringLayers(scope, rows.of)
  const baseLayers = stringLayers({ ...scope, language: 'default' }, rows.of)

  function staleMembers(id: string, text: string) {
    const stale_because = staleReason(layers, id, rows.row)
    if (stale_because === undefined) return {}
    const base = resolveString(baseLayers, baseIdOf(layers, id))?.text
    // All that a person compares; any change of it brings the mark back.
    const seen = [stale_because, text, base, shippedText(scope.language, id)]
    const stale_hash = hashText(JSON.stringify(seen))
    return acks.get(id) === stale_hash ? {} : { stale: true, stale_because, stale_hash }
  }

  return (id) => {
    const resolved = resolveString(layers, id)
    const text = resolved?.text ?? ''
    return {
      id,
      text,
      language: scope.language,
      ...(scope.branding === '' ? {} : { branding: scope.branding }),
      ...(resolved?.overriding === undefined ? {} : { overriding: resolved.overriding }),
      ...staleMembers(id, text),
    }
  }
}
