import { memberPath } from './member-path.ts'
import { NUMBER_LENGTH_MAX, isExactNumber } from './json-numbers.ts'
import { ApiError, invalid } from '../errors.ts'

const DEPTH_MAX = 32

const QUOTE = 34
const COMMA = 44
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Rejects JSON that would be costly to parse or would change when parsed, in one pass without
 * allocating objects, so that hostile input costs only the time to read it. Whether the text is
 * valid JSON is left to the parser. Throws a 400 ApiError for more than 32 levels, more than
 * `keysMax` members in total, and numbers that JavaScript cannot represent.
 */
export function checkJsonSize(text: string, keysMax: number): void {
  const open: Container[] = []
  let keys = 0
  let key: Span = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 32) continue
    const inside = open.at(-1)
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      open.pop()
      continue
    }
    if (inside && (inside.members === 0 || code === COMMA)) {
      inside.members += 1
      keys += 1
      if (keys > keysMax) throw tooLarge(`have at most ${keysMax} members`)
    }
    if (code === QUOTE) {
      const end = endOfString(text, at)
      key = [at, end]
      at = end - 1
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (open.length === DEPTH_MAX) throw tooLarge(`be nested at most ${DEPTH_MAX} levels deep`)
      open.push({ isArray: code === OPEN_ARRAY, members: 0, key })
    } else if (beginsNumber(code)) {
      const end = endOfNumber(text, at)
      checkNumber(text.slice(at, end), () => pathTo(open, key, text))
      at = end - 1
    }
  }
}

interface Container {
  isArray: boolean
  /** Members started so far. */
  members: number
  /** The last string, which is the current key in an object. */
  key: Span
}

/** Index of the first character and index after the last one. */
type Span = [start: number, end: number]

function tooLarge(rule: string): ApiError {
  return new ApiError('INVALID_REQUEST', `body must ${rule}`)
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at += 1
  }
  return text.length
}

function beginsNumber(code: number): boolean {
  return code === 45 || (code >= 48 && code <= 57)
}

/** Returns the index after the number that starts at `start`. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    const isPart = beginsNumber(code) || code === 43 || code === 46 || (code | 32) === 101
    if (!isPart) break
  }
  return end
}

function checkNumber(written: string, name: () => string): void {
  if (written.length > NUMBER_LENGTH_MAX) {
    throw invalid(name(), `must be at most ${NUMBER_LENGTH_MAX} characters; send it as a string`)
  }
  const read = Number(written)
  if (!Number.isNaN(read) && !isExactNumber(written, read)) {
    throw invalid(name(), 'exceeds the precision of a JSON number; send it as a string')
  }
}

/** Returns the path to the value after `key`, within all open containers. */
function pathTo(open: readonly Container[], key: Span, text: string): string {
  const steps = open.map(({ isArray, members }, depth) =>
    // The key of a nested container is stored with that container.
    isArray ? members - 1 : JSON.parse(text.slice(...(open[depth + 1]?.key ?? key))),
  )
  return memberPath(steps as PropertyKey[])
}
