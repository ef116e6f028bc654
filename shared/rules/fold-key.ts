/** Three times as long as a key may be, so that no key is cut, and short enough for any index. */
const FOLDED_MAX = 765

/**
 * What an index knows a text by: one spelling for what looks the same, without its case (contract
 * section 1). Texts that criteria call equal have the same (section 15.1); the other way round that
 * holds for keys only, since of a long text it is the beginning.
 */
export function foldKey(text: string): string {
  // Taken apart first, so that case is all that differs; the Turkish İ is then an i with a dot of
  // its own, which may stand behind other accents, and a sigma ends a word in a form of its own.
  const folded = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/i\p{M}+/gu, (accented) => accented.replaceAll('\u0307', ''))
    .replaceAll('\u03c2', '\u03c3')
    .normalize('NFC')
  return folded.slice(0, FOLDED_MAX).toWellFormed()
}
