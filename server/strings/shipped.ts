import { createHash } from 'node:crypto'
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
