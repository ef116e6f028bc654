/** Three times as long as a key may be, so that no key is cut, and short enough for any index. */
const FOLDED_MAX = 765

/**
 * What an index knows a text by: one spelling for what looks the same, without its case (contract
 * section 1). Texts that criteria call equal have the same (section 15.1); the other way round that
 * holds for keys only, since of a long text it is the beginning.
 */
export function foldKey(text: string): string {
  // The Turkish İ and a sigma at the end of a word lower-case into something of their own, and some
  // letters are composed in one case only, so the accents are joined once more at the end.
  const folded = text
    .replaceAll('\u0130', 'i')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .replaceAll('\u03c2', '\u03c3')
    .normalize('NFC')
  return folded.slice(0, FOLDED_MAX).toWellFormed()
}
