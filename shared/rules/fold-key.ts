/**
 * Three times the maximum length of a key, so that no key is truncated, and short enough for any
 * index.
 */
const FOLDED_MAX = 765

/**
 * Returns the indexed form of a text: normalized and without case. Texts that criteria treat as
 * equal have the same form. The converse holds for keys only, because long texts are truncated.
 */
export function foldKey(text: string): string {
  // Decomposed first, so that only case differs. The Turkish İ becomes an i with a combining dot,
  // which may follow other accents, and a final sigma has its own form.
  const folded = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/i\p{M}+/gu, (accented) => accented.replaceAll('\u0307', ''))
    .replaceAll('\u03c2', '\u03c3')
    .normalize('NFC')
  return folded.slice(0, FOLDED_MAX).toWellFormed()
}
