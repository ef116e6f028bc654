/**
 * A text as it reads with ASCII digits and separators: full-width and other digits, the many dashes
 * and spaces, characters that nobody sees, and percent-encoding all hide a number from a pattern.
 * Returns the text as such, and each decoding of it where it is percent-encoded; `%2534` is `%34`
 * is `4`.
 */
export function asciiSpellings(text: string): string[] {
  const spellings = [withAsciiDigits(text)]
  let decoded = text
  for (let times = 0; times < DECODINGS_MAX && PERCENT_ENCODED.test(decoded); times += 1) {
    decoded = percentDecoded(decoded)
    spellings.push(withAsciiDigits(decoded))
  }
  return spellings
}

const DECODINGS_MAX = 3
const PERCENT_ENCODED = /%[0-9a-f]{2}/i

/** Bytes that are no UTF-8 stay as they are, but those of ASCII are decoded among them. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes.replace(/%([0-7][0-9a-f])/gi, (_byte, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    }
  })
}

function withAsciiDigits(text: string): string {
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant
  if (/^[\u0000-\u007f]*$/.test(text)) return text
  return (
    text
      .normalize('NFKC')
      // Zero-width and other invisible characters, and marks such as those of keycaps.
      .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{M}]+/gu, '')
      .replace(/[\u0080-\u{10ffff}]/gu, asciiOf)
  )
}

const asciiByCharacter = new Map<string, string>()

function asciiOf(character: string): string {
  const known = asciiByCharacter.get(character)
  if (known !== undefined) return known
  const ascii = /\p{Nd}/u.test(character) ? digitOf(character) : separatorOf(character)
  // Of the letters nothing becomes ASCII, and there are too many to remember.
  if (ascii !== character) asciiByCharacter.set(character, ascii)
  return ascii
}

/** Unicode keeps decimal digits in whole runs from 0 to 9, some of which follow each other. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return String(before % 10)
}

function separatorOf(character: string): string {
  if (/\p{Pd}|[\u2212]/u.test(character)) return '-'
  if (/[\u2215\u29f8]|\u2044/u.test(character)) return '/'
  if (/[\u00b7\u2022\u2219\u22c5\u30fb\u3002]/u.test(character)) return '.'
  return /\s/u.test(character) ? ' ' : character
}
