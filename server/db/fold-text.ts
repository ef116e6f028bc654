/**
 * Folds the case of each letter alone, for criteria. Plain `toLowerCase` treats a final sigma
 * differently and turns the Turkish İ into two characters.
 */
export function foldText(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')
}

/**
 * The value of a folded column that criteria search. Stored with the row, so that a list need not
 * fold the whole table. Null for an empty text, which criteria treat as null.
 */
export function foldedText(text: string | null | undefined): string | null {
  return text == null || text === '' ? null : foldText(text)
}
