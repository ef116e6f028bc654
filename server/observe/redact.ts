import { passesLuhn } from '../../shared/rules/luhn.ts'

/**
 * Last defense of the log: removes text that looks like a card number or credentials. It must keep
 * ids, times, amounts and addresses.
 */

// A secret may follow an escape sequence such as \\n, whose letter is no part of it.
const AFTER_ESCAPE = String.raw`(?<=\\[bfnrt]|\\u[0-9a-f]{4})`
const AUTHORIZATION = new RegExp(`(?:\\b|${AFTER_ESCAPE})(basic|bearer)\\s+[\\w+/=.~-]{4,}`, 'gi')
// An attempt id starts like an access token, but is not a secret.
const SECRET = new RegExp(
  String.raw`(?:\b|${AFTER_ESCAPE})(?!at_\d+_[0-9a-z]{16}\b)` +
    String.raw`(?:(sk|ckt|tok|kept)_[\w-]{8,}|(at|rt|cd)_[\w-]{16,}|(cs|us|vis|si)_[\w-]{32,}` +
    String.raw`|(whsec)_[\w+/=-]{8,})`,
  'g',
)
// Digits in groups. Not within a word, a fraction or a UUID.
const DIGITS = new RegExp(
  String.raw`(?:(?<!\w|\d\.|\w-)|${AFTER_ESCAPE})(?!(?:\d+-){4}\d{12}\b)` +
    String.raw`\d(?:[ \u00a0\u202f./_-]?\d){12,80}(?!\w|-\w)`,
  'g',
)

/** Replaces card numbers and credentials. A line of JSON stays valid JSON. */
export function redact(line: string): string {
  return line
    .replace(AUTHORIZATION, '$1 [removed]')
    .replace(SECRET, '$1$2$3$4_[removed]')
    .replace(DIGITS, (run: string, offset: number) => {
      const hidden = redactCards(run)
      const isNumber =
        hidden !== run && /(?<!\\)":$/.test(line.slice(Math.max(0, offset - 3), offset))
      return isNumber ? `"${hidden}"` : hidden
    })
}

/** Checks each run of groups, because an expiry or a CVC may be next to the number. */
function redactCards(run: string): string {
  const parts = run.split(/([ \u00a0\u202f./_-])/)
  let hidden = ''
  for (let at = 0; at < parts.length; at += 1) {
    const begins = at % 2 === 0 && parts[at - 1] !== '.'
    const end = begins ? findCardEnd(parts, at) : undefined
    hidden += end === undefined ? parts[at] : '[card number removed]'
    at = end ?? at
  }
  return hidden
}

/** Returns the end of the longest card number that starts at `from`. */
function findCardEnd(parts: string[], from: number): number | undefined {
  let found: number | undefined
  let text = ''
  for (let end = from; end < parts.length && text.length < TEXT_MAX; end += 2) {
    text = parts.slice(from, end + 1).join('')
    if (isCard(text)) found = end
  }
  return found
}

/** Nineteen digits with separators. */
const TEXT_MAX = 19 + 18

// Epoch milliseconds have thirteen digits too, and start with 2 from the year 2033.
const LENGTHS = /^(?:4\d{12}|[2-6]\d{13,18})$/
// One number, four dotted groups, or groups of at most eight digits, which excludes timestamps.
const SHAPES = /^(?:\d+|(?:\d{4}\.){3}\d{4}|\d{1,8}(?:[ \u00a0\u202f/_-]\d{1,8})+)$/

function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  return LENGTHS.test(digits) && SHAPES.test(text) && passesLuhn(digits)
}
