/** Text that is shown in groups while it is typed, with a caret that stays where the typing is. */

export interface Edit {
  text: string
  caret: number
}

/** What an input event leaves in a field, and what was there before it. */
export interface Typing {
  before: string
  text: string
  caret: number
  /** The Delete key, as against Backspace. */
  forward: boolean
}

export interface Grouping {
  /** Cuts a text down to the characters that mean something. */
  bare: (text: string) => string
  /** After how many characters a space stands; depends on what is typed so far. */
  gaps: (bare: string) => readonly number[]
  /** The longest that what is typed so far may become. */
  max: (bare: string) => number
}

/**
 * Writes what was typed in groups. Removing only a space removes the character beside it, since
 * the space would come straight back; a character too many in a full field is not taken, instead
 * of pushing the last one out.
 */
export function regroup(typing: Typing, grouping: Grouping): Edit {
  const { bare } = grouping
  const before = bare(typing.before)
  let text = bare(typing.text)
  let at = bare(typing.text.slice(0, typing.caret)).length
  if (text === before && typing.text.length === typing.before.length - 1) {
    const from = typing.forward ? at : at - 1
    if (from >= 0) text = text.slice(0, from) + text.slice(from + 1)
    at = Math.max(from, 0)
  }
  const max = grouping.max(text)
  if (text.length > max) {
    const full = text.length === before.length + 1 && before.length === grouping.max(before)
    text = full ? before : text.slice(0, max)
    at = Math.min(full ? at - 1 : at, max)
  }
  const gaps = grouping.gaps(text)
  return {
    text: Array.from(text)
      .map((c, index) => (gaps.includes(index) ? ` ${c}` : c))
      .join(''),
    // A gap right at the caret is crossed only at the very end, where typing goes on.
    caret: at + gaps.filter((gap) => gap < at).length,
  }
}
