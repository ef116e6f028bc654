import type { PlacedSentence } from '../../../shared/preview-messages.ts'
import { t } from './wording-words.ts'

/** What has no box on the page: names for screen readers, choices of a list, the title of the tab. */
export function UnseenSentences({
  sentences,
  texts,
  onChoose,
}: {
  sentences: readonly PlacedSentence[]
  texts: Readonly<Record<string, string>>
  onChoose: (id: string) => void
}) {
  const unseen = sentences.filter(({ seen }) => !seen)
  if (unseen.length === 0) return null
  return (
    <section class="unseen">
      <h2>{t('unseen')}</h2>
      <ul>
        {unseen.map(({ id }) => (
          <li key={id}>
            <button type="button" class="link" dir="auto" onClick={() => onChoose(id)}>
              {texts[id]}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
