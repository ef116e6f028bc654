/** The new text of a field and the position of its caret. */
export interface Edit {
  text: string
  caret: number
}

/** The state of a field after an input event, and its text before. */
export interface TextInput {
  before: string
  text: string
  caret: number
  /** Delete was pressed, not Backspace. */
  forward: boolean
}

export interface Grouping {
  /** Removes the separators. */
  bare: (text: string) => string
  /** The positions of the spaces, which depend on the text so far. */
  gaps: (bare: string) => readonly number[]
  /** The maximum length, which depends on the text so far. */
  max: (bare: string) => number
}

/**
 * Formats a text in groups. Deleting a space deletes the character beside it, since the space itself
 * comes back. A full field ignores another character.
 */
export function formatGroups(typing: TextInput, grouping: Grouping): Edit {
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
    // At the end of the text the caret stands behind a gap.
    caret: at + gaps.filter((gap) => gap < at).length,
  }
}
