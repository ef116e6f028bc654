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

/** Two texts in one language, with what differs. `note` says more of the second. */
export function WordDiff({
  before,
  after,
  language,
  note,
}: {
  before: string
  after: string
  language: string
  note?: string | undefined
}) {
  const parts = diffWords(before, after)
  const shown = { lang: intlLanguage(language), dir: textDirection(language) }
  return (
    <div class="word-diff">
      <p>
        <span class="visually-hidden">{t('before')}</span>
        <span {...shown}>
          {parts.before.map(({ text, same }) => (same ? text : <del>{text}</del>))}
        </span>
      </p>
      <p>
        <span class="visually-hidden">{t('after')}</span>
        <span {...shown}>
          {parts.after.map(({ text, same }) => (same ? text : <ins>{text}</ins>))}
        </span>
        {note !== undefined && <em class="muted"> {note}</em>}
      </p>
    </div>
  )
}
