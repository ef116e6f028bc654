import type { StringRecord } from '../../shared/schemas/string.ts'
import { type StringLayers, resolveString, type StringScope } from '../../shared/rules/inherit.ts'

export function serializeString(
  scope: StringScope,
  layers: StringLayers,
  id: string,
): StringRecord {
  const resolved = resolveString(layers, id)
  return {
    id,
    text: resolved?.text ?? '',
    language: scope.language,
    ...(scope.branding === '' ? {} : { branding: scope.branding }),
    ...(resolved?.overriding === undefined ? {} : { overriding: resolved.overriding }),
    ...(resolved?.stale ? { stale: true } : {}),
  }
}
