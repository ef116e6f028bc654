import { createHash } from 'node:crypto'
import type { StringsTable } from '../db/tables/strings.ts'
import { resolveString } from '../../shared/rules/inherit.ts'
import { stringLayers } from './resolve.ts'

/** Returns the shipped text of an id in a language, in English where it lacks a translation. */
export function shippedText(language: string, id: string): string {
  const layers = stringLayers({ branding: '', language }, () => undefined)
  return resolveString(layers, id)?.text ?? ''
}

/** Returns a short hash of a text: 128 bits of SHA-256, base64url. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Returns whether the shipped text of a row is another one since its last change, as far as it was noted. */
export function isShippedChanged({
  language,
  id,
  shipped_hash,
}: Pick<StringsTable, 'language' | 'id' | 'shipped_hash'>): boolean {
  return shipped_hash !== null && shipped_hash !== hashText(shippedText(language, id))
}
