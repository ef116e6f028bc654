import type { Strings } from '../../shared/rules/wording.ts'
import { type Bundle, createBundle } from './bundle.ts'
import { namesLegalEntity } from '../../shared/rules/string-ids.ts'

/** What fills the placeholders of the legal entity. */
export interface LegalNames {
  legal_name: string
  /** Empty if it has none. */
  vat: string
}

const PLACEHOLDER = /\{(legal_name|vat)\}/g

/**
 * Returns a bundle whose strings name the legal entity. They are filled in here and not by the page, so
 * that a page without such strings loads nothing for it.
 */
export function nameLegalEntity(bundle: Bundle, names: LegalNames): Bundle {
  const strings = nameInStrings(bundle.strings, names)
  return strings === bundle.strings ? bundle : createBundle(bundle.language, strings)
}

/** Returns strings that name the legal entity; the same ones where none does. */
export function nameInStrings(strings: Strings, names: LegalNames): Strings {
  const using = idsOfNaming(strings)
  if (using.length === 0) return strings
  const filled = using.map((id) => [id, fillIn(strings[id] ?? '', names)])
  return { ...strings, ...Object.fromEntries(filled) }
}

const naming = new WeakMap<Strings, readonly string[]>()

/** Returns the ids of strings with a placeholder. A bundle is used by many pages, and searched once. */
function idsOfNaming(strings: Strings): readonly string[] {
  const known = naming.get(strings)
  if (known) return known
  const ids = Object.entries(strings).flatMap(([id, text]) =>
    namesLegalEntity(id) && text.search(PLACEHOLDER) >= 0 ? [id] : [],
  )
  naming.set(strings, ids)
  return ids
}

function fillIn(text: string, names: LegalNames): string {
  // Braces in a name would be taken for a placeholder of the page.
  return text.replaceAll(PLACEHOLDER, (_match, name: keyof LegalNames) =>
    names[name].replaceAll(/[{}]/g, ''),
  )
}
