import { createHash } from 'node:crypto'
import type { Strings } from '../../shared/rules/wording.ts'
import { SHIPPED } from './shipped.ts'

/** All wording of one language, addressed by its content. */
export interface Bundle {
  /** SHA-256 of the canonical JSON, hex: the same words always have the same address. */
  hash: string
  language: string
  direction: 'ltr' | 'rtl'
  strings: Strings
  /** The canonical JSON, as it is stored. */
  json: string
}

const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur'])
const made = new Map<string, Bundle>()

/** The bundle of a language that is shipped; `default` for any other (contract section 14.4). */
export function shippedBundle(language: string): Bundle {
  const known = SHIPPED[language] ? language : 'default'
  const ready = made.get(known)
  if (ready) return ready
  const bundle = toBundle(known, { ...SHIPPED['default'], ...SHIPPED[known] })
  made.set(known, bundle)
  return bundle
}

/** Freezes wording: members in order of their id, so that equal wording gives equal bytes. */
export function toBundle(language: string, wording: Strings): Bundle {
  const strings = Object.fromEntries(
    Object.entries(wording).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  const json = JSON.stringify(strings)
  return {
    hash: createHash('sha256').update(json).digest('hex'),
    language,
    direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr',
    strings,
    json,
  }
}
