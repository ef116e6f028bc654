import type { ComponentChildren } from 'preact'
import type { Sentence } from './sentence.ts'
import { type DiffNotes, WordDiff } from './WordDiff.tsx'
import { languageName, t } from './wording-words.ts'

/** What happened to one sentence. */
export interface ShownChange extends Sentence {
  before: string
  after: string
  /** Say more of the texts. */
  notes?: DiffNotes | undefined
  /** Below the texts. */
  more?: ComponentChildren
}

/** Changes of sentences, with what differs in their words. */
export function ChangeList({
  changes,
  places = {},
}: {
  changes: readonly ShownChange[]
  /** The names of the states that each id is in. */
  places?: Readonly<Record<string, readonly string[]>>
}) {
  return (
    <ul class="change-list">
      {changes.map(({ id, language, branding, before, after, notes, more }) => {
        const states = places[id]?.length ?? 0
        return (
          <li key={`${branding}|${language}|${id}`}>
            <p>
              <code>{id}</code>{' '}
              <span class="muted">
                {[languageName(language), branding, states > 0 && t('in_states', { count: states })]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </p>
            <WordDiff before={before} after={after} language={language} notes={notes} />
            {more}
          </li>
        )
      })}
    </ul>
  )
}
