/**
 * A text without its case, as criteria compare it, whatever the alphabet: every letter folds alone.
 * `toLowerCase` looks at the neighbours of a sigma, so that the end of a word never equals its
 * middle, and makes two characters of the Turkish İ.
 */
export function fold(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')
}

/**
 * What a column that criteria search holds beside its text, written with the row: folding at every
 * look would cost each list the whole table. Null where the text is null or empty, which criteria
 * do not tell apart.
 */
export function foldedText(text: string | null | undefined): string | null {
  return text == null || text === '' ? null : fold(text)
}
