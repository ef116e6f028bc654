import { foldKey } from '../../shared/rules/fold-key.ts'
import { foldedText } from './fold-text.ts'

/** The columns of an `alt_key`: the text, its index key, and its folded text for criteria. */
export function altKeyColumns(altKey: string | null | undefined) {
  return {
    alt_key: altKey ?? null,
    alt_key_folded: altKey == null ? null : foldKey(altKey),
    alt_key_lower: foldedText(altKey),
  }
}
