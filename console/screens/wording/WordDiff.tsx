import { diffArrays } from 'diff'
import { textDirection } from '../../../shared/rules/text-direction.ts'
import { intlLanguage } from '../../../shared/rules/wording.ts'
import { t } from './wording-words.ts'

/** Placeholders and words are whole. Scripts without blanks between words are compared by character. */
const TOKENS =
  /\{\w+\}\s*|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}]+\s*|\s+|[^]/gu

/** A part of a text; `same` is in both texts. */
interface Part {
  text: string
  same: boolean
}

/** Returns the parts of two texts, compared word by word. */
export function diffWords(before: string, after: string): { before: Part[]; after: Part[] } {
  const tokens = (text: string) => text.match(TOKENS) ?? []
  const changes = diffArrays(tokens(before), tokens(after))
  const part = ({ value, added, removed }: (typeof changes)[number]): Part => ({
    text: value.join(''),
    same: !added && !removed,
  })
  return {
    before: changes.filter(({ added }) => !added).map(part),
    after: changes.filter(({ removed }) => !removed).map(part),
  }
}

export interface DiffNotes {
  before?: string
  after?: string
}

/** Two texts in one language, with what differs. */
export function WordDiff({
  before,
  after,
  language,
  notes = {},
}: {
  before: string
  after: string
  language: string
  notes?: DiffNotes | undefined
}) {
  const parts = diffWords(before, after)
  return (
    <div class="word-diff">
      <Line
        label={t('before')}
        language={language}
        parts={parts.before}
        mark="del"
        note={notes.before}
      />
      <Line
        label={t('after')}
        language={language}
        parts={parts.after}
        mark="ins"
        note={notes.after}
      />
    </div>
  )
}

function Line({
  label,
  language,
  parts,
  mark: Mark,
  note,
}: {
  label: string
  language: string
  parts: readonly Part[]
  mark: 'del' | 'ins'
  note: string | undefined
}) {
  return (
    <p>
      <span class="visually-hidden">{label}</span>
      {parts.length > 0 ? (
        <span lang={intlLanguage(language)} dir={textDirection(language)}>
          {parts.map(({ text, same }) => (same ? text : <Mark>{text}</Mark>))}
        </span>
      ) : (
        <em class="muted">{t('nothing_shown')}</em>
      )}
      {note !== undefined && <em class="muted"> {note}</em>}
    </p>
  )
}
