import { foldKey } from '../../shared/rules/fold-key.ts'
import { foldedText } from './fold-text.ts'

/** The columns of a record's alternate key: as it was sent, for its index, and for criteria. */
export function keyColumns(altKey: string | null | undefined) {
  return {
    alt_key: altKey ?? null,
    alt_key_folded: altKey == null ? null : foldKey(altKey),
    alt_key_lower: foldedText(altKey),
  }
}
