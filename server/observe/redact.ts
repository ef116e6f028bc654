import { passesLuhn } from '../../shared/rules/card-in-text.ts'

/**
 * The last defence of the log (safety row 15): what looks like a card number or like credentials
 * is taken out of a finished line. It is as suspicious as it can be without touching what a log is
 * read for: ids, times, amounts and addresses.
 */

// A letter may stand before a secret and yet be no part of it: the n of an escaped line break.
const AFTER_ESCAPE = String.raw`(?<=\\[bfnrt]|\\u[0-9a-f]{4})`
const AUTHORISATION = new RegExp(`(?:\\b|${AFTER_ESCAPE})(basic|bearer)\\s+[\\w+/=.~-]{4,}`, 'gi')
// An attempt's id begins like an access token, but is a time and not a secret.
const SECRET = new RegExp(
  String.raw`(?:\b|${AFTER_ESCAPE})(?!at_\d+_[0-9a-z]{16}\b)` +
    String.raw`(?:(sk|ckt|tok|kept)_[\w-]{8,}|(at|rt|cd)_[\w-]{16,}|(cs|us|vis|si)_[\w-]{32,}` +
    String.raw`|(whsec)_[\w+/=-]{8,})`,
  'g',
)
// Digits in groups, as cards are written. Not the inside of a word, a fraction or a UUID.
const DIGITS = new RegExp(
  String.raw`(?:(?<!\w|\d\.|\w-)|${AFTER_ESCAPE})(?!(?:\d+-){4}\d{12}\b)` +
    String.raw`\d(?:[ \u00a0\u202f./_-]?\d){12,80}(?!\w|-\w)`,
  'g',
)

/** Replaces what looks like a card number or like credentials. A line of JSON stays one. */
export function redact(line: string): string {
  return line
    .replace(AUTHORISATION, '$1 [removed]')
    .replace(SECRET, '$1$2$3$4_[removed]')
    .replace(DIGITS, (run: string, offset: number) => {
      const hidden = hideCards(run)
      const isNumber =
        hidden !== run && /(?<!\\)":$/.test(line.slice(Math.max(0, offset - 3), offset))
      return isNumber ? `"${hidden}"` : hidden
    })
}

/** Looks at each stretch of groups, because an expiry or a code may stand beside the number. */
function hideCards(run: string): string {
  const parts = run.split(/([ \u00a0\u202f./_-])/)
  let hidden = ''
  for (let at = 0; at < parts.length; at += 1) {
    const begins = at % 2 === 0 && parts[at - 1] !== '.'
    const end = begins ? endOfCard(parts, at) : undefined
    hidden += end === undefined ? parts[at] : '[card number removed]'
    at = end ?? at
  }
  return hidden
}

/** The longest stretch that begins there and is a card's; none has more digits than it may have. */
function endOfCard(parts: string[], from: number): number | undefined {
  let found: number | undefined
  let text = ''
  for (let end = from; end < parts.length && text.length < TEXT_MAX; end += 2) {
    text = parts.slice(from, end + 1).join('')
    if (isCard(text)) found = end
  }
  return found
}

/** Nineteen digits, and what may stand between each two. */
const TEXT_MAX = 19 + 18

// Epoch milliseconds have thirteen digits too, and reach 2 in the year 2033.
const LENGTHS = /^(?:4\d{12}|[2-6]\d{13,18})$/
// One number, four dotted groups, or groups that no time stamp is as short as.
const SHAPES = /^(?:\d+|(?:\d{4}\.){3}\d{4}|\d{1,8}(?:[ \u00a0\u202f/_-]\d{1,8})+)$/

function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  return LENGTHS.test(digits) && SHAPES.test(text) && passesLuhn(digits)
}
