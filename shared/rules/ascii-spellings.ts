/**
 * Returns a text with ASCII digits and separators, and each of its percent-decodings (`%2534` is
 * `%34` is `4`). Full-width and other digits, dashes, spaces, invisible characters and
 * percent-encoding would otherwise hide a number from a pattern.
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

/** Invalid UTF-8 is kept; ASCII among it is decoded. */
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
  const cached = asciiByCharacter.get(character)
  if (cached !== undefined) return cached
  const ascii = /\p{Nd}/u.test(character) ? digitOf(character) : separatorOf(character)
  // Letters never become ASCII and are too many to cache.
  if (ascii !== character) asciiByCharacter.set(character, ascii)
  return ascii
}

/** Unicode has decimal digits in runs from 0 to 9, some of which are adjacent. */
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
