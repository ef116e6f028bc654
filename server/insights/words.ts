/** Words of a record, or of what is typed. Both are folded alike. */

const WORDS_MAX = 16
const WORD_LENGTH_MAX = 64

/**
 * Returns the words of a text: its parts between spaces, and the parts of those between other characters,
 * so that `order-1043` is found by `1043`. Case and accents do not matter.
 */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  for (const part of fold(text).split(/\s+/u)) {
    words.add(part.slice(0, WORD_LENGTH_MAX))
    for (const inner of part.split(/[^\p{L}\p{N}]+/u)) words.add(inner.slice(0, WORD_LENGTH_MAX))
  }
  words.delete('')
  return [...words].slice(0, WORDS_MAX).map((word) => word.toWellFormed())
}

/** Returns the words that are typed, the longest first, because it is the rarest. */
export function typedWords(text: string): string[] {
  return fold(text)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => decimal(word).slice(0, WORD_LENGTH_MAX).toWellFormed())
    .toSorted((one, two) => two.length - one.length)
    .slice(0, 5)
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\0]/gu, '')
    .toLowerCase()
}

/** Amounts are filed as the API writes them; people also type a comma. */
function decimal(word: string): string {
  return word.replace(/^(\d+),(\d{1,4})$/, '$1.$2')
}
