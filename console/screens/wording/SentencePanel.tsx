import { useRef } from 'preact/hooks'
import type { SentenceFit } from '../../../shared/preview-messages.ts'
import { baseIdOf, type StringScope } from '../../../shared/rules/inherit.ts'
import { formsOf, sampleCounts, stringStem } from '../../../shared/rules/string-ids.ts'
import {
  placeholders,
  placeholdersOf,
  wordingProblem,
} from '../../../shared/rules/wording-problem.ts'
import type { Strings } from '../../../shared/rules/wording.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Segmented, TextArea } from '../../ui/Field.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Banner } from '../../ui/States.tsx'
import type { Draft } from './draft.ts'
import { isSame } from './sentence.ts'
import { OtherLanguages } from './OtherLanguages.tsx'
import type { Resolution } from './resolution.ts'
import { StaleNotice } from './StaleNotice.tsx'
import { useNotes } from './sentence-notes.ts'
import { languageName, problemText, t } from './wording-words.ts'

export interface Branding {
  key: string
  name: string
}

const PLACEHOLDER = /(\{[a-z][a-z0-9_]*\})/

/** The counts that a plural form is for, such as 2, 3, 4. */
function sampleText(language: string, form: string): string {
  const counts = sampleCounts(language === 'default' ? 'en' : language, form)
  return counts.length > 2 ? `${counts.join(', ')} …` : counts.join(', ')
}

/** One sentence: its text where it is edited, and where every text of it comes from. */
export function SentencePanel({
  id,
  scope,
  viewed,
  brandings,
  resolution,
  shipped,
  draft,
  version,
  isWritable,
  languages,
  scenes,
  fit,
  device,
  onScope,
  onStep,
  onLanguage,
  onChoose,
}: {
  id: string
  /** Where the text is edited. */
  scope: StringScope
  /** What the page is shown in. */
  viewed: StringScope
  brandings: readonly Branding[]
  resolution: Resolution
  shipped: Readonly<Record<string, Strings>>
  draft: Draft
  version: number
  isWritable: (language: string) => boolean
  languages: readonly string[]
  /** How many states of the page show it. */
  scenes: number
  /** How it fits into the page that is shown; null where it is not seen. */
  fit: SentenceFit | null
  device: 'phone' | 'desktop'
  onScope: (scope: StringScope) => void
  onStep: (by: 1 | -1) => void
  onLanguage: (language: string) => void
  /** Chooses another sentence; null for none. */
  onChoose: (id: string | null) => void
}) {
  const base = shipped['default'] ?? {}
  const area = useRef<HTMLDivElement>(null)
  const layers = resolution.layers(scope, id)
  const own = layers[0]
  const text = resolution.text(scope, id)
  const reason = resolution.stale(scope, id)
  const drafted = draft.changes.some((change) => isSame(change, { ...scope, id }))
  // A draft of the sentence anywhere, or of its base, may be what makes it stale.
  const stems = [id, baseIdOf({ base }, id)]
  const isDrafted = draft.changes.some((change) => stems.includes(change.id))
  const was = resolution.publishedText({ ...scope, id })
  const set = (next: string | null) => draft.set({ ...scope, id }, next, { version, was })
  const editable = isWritable(scope.language)
  const note = useNotes()[stringStem(base, id)]
  const forms = formsOf(base, id, scope.language)
  const names = placeholdersOf(base, id)
  const problem = wordingProblem(base, id, text)
  const missing = placeholders(base[id] ?? '').filter((name) => !placeholders(text).includes(name))
  const nameOf = ({ branding }: { branding: string }) =>
    brandings.find(({ key }) => key === branding)?.name ?? t('branding_none')

  const focus = () => area.current?.querySelector('textarea')?.focus()

  function insert(name: string): void {
    const field = area.current?.querySelector('textarea')
    const at = field?.selectionStart ?? text.length
    set(`${text.slice(0, at)}{${name}}${text.slice(field?.selectionEnd ?? at)}`)
    field?.focus()
  }

  return (
    <section class="sentence" aria-label={id}>
      <header>
        <code>{id}</code>
        <span class="sentence-steps">
          <IconButton icon="chevron-left" label={t('previous')} onClick={() => onStep(-1)} />
          <IconButton icon="chevron-right" label={t('next')} onClick={() => onStep(1)} />
          <IconButton icon="x" label={t('close')} onClick={() => onChoose(null)} />
        </span>
        {note !== undefined && <h2>{note}</h2>}
        {scenes > 0 && <p class="muted">{t('in_states', { count: scenes })}</p>}
      </header>
      {brandings.length > 0 && viewed.branding !== '' && (
        <Segmented
          label={t('scope')}
          value={scope.branding}
          options={[viewed.branding, ''].map((branding) => ({
            value: branding,
            label: nameOf({ branding }),
          }))}
          onChange={(branding) => onScope({ ...scope, branding })}
        />
      )}
      {viewed.language !== 'default' && (
        <Segmented
          label={t('language')}
          value={scope.language}
          options={[viewed.language, 'default'].map((language) => ({
            value: language,
            label: languageName(language),
          }))}
          onChange={(language) => onScope({ ...scope, language })}
        />
      )}
      {forms.length > 1 && (
        <Segmented
          label={t('counted')}
          value={id}
          options={forms.map((each) => ({
            value: each.id,
            label: sampleText(scope.language, each.form ?? ''),
          }))}
          onChange={onChoose}
        />
      )}
      <div ref={area}>
        <TextArea
          label={t('text')}
          aside={drafted ? t('not_published') : ''}
          value={text}
          lang={scope.language === 'default' ? 'en' : scope.language}
          dir="auto"
          rows={2}
          highlight={PLACEHOLDER}
          readOnly={!editable}
          error={problem ? problemText(problem) : undefined}
          onInput={set}
        />
      </div>
      {fit && text !== '' && (
        <p class="muted sentence-fit">
          {fit.cut ? t('fit_cut') : t(`fit_${device}`, { count: fit.lines })}
        </p>
      )}
      {reason && (
        <StaleNotice
          id={id}
          scope={scope}
          reason={reason}
          resolution={resolution}
          base={base}
          version={version}
          drafted={isDrafted}
          editable={editable}
          onText={set}
          onEdit={focus}
        />
      )}
      {text === '' && (
        <Banner tone="wait">
          {t(id.startsWith('consent.') ? 'consent_empty' : 'shown_empty')}
        </Banner>
      )}
      {text !== '' && !problem && missing.length > 0 && (
        <Banner tone="wait">
          {t('missing_placeholder', { names: missing.map((name) => `{${name}}`).join(', ') })}
        </Banner>
      )}
      {editable && (
        <p class="sentence-tools">
          {names.length > 0 && <span class="muted">{t('put_in')}</span>}
          {names.map((name) => (
            <button key={name} type="button" class="placeholder" onClick={() => insert(name)}>
              {name}
            </button>
          ))}
          {own?.text !== undefined && (
            <Button kind="plain" icon="undo-2" onClick={() => set(null)}>
              {t('take_back')}
            </Button>
          )}
        </p>
      )}
      {own?.text !== undefined && (
        <p class="muted">{t('take_back_to', { text: resolution.inherited(scope, id) })}</p>
      )}
      <h2>
        {t('origin')} <small class="muted">{t('origin_order')}</small>
      </h2>
      <ol class="layers">
        {layers.map(({ layer, text: said, shown }) => {
          const isMerchant = layer.source === 'MERCHANT'
          const name = isMerchant ? nameOf(layer) : t('layer_shipped')
          const body = (
            <>
              <span>
                {name}
                <small>{languageName(layer.language)}</small>
              </span>
              <span class={said === undefined ? 'muted' : ''} dir="auto">
                {said ?? t('layer_nothing')}
              </span>
              {shown && <Pill tone="ok">{t('layer_shown')}</Pill>}
            </>
          )
          return (
            <li
              key={`${layer.source}${layer.branding}|${layer.language}`}
              class={shown ? 'shown' : ''}
            >
              {isMerchant ? (
                <button
                  type="button"
                  onClick={() => onScope({ branding: layer.branding, language: layer.language })}
                >
                  {body}
                </button>
              ) : (
                <div>{body}</div>
              )}
            </li>
          )
        })}
      </ol>
      {languages.length > 1 && (
        <OtherLanguages
          id={id}
          scope={scope}
          languages={languages}
          resolution={resolution}
          shipped={shipped}
          version={version}
          drafted={isDrafted}
          isWritable={isWritable}
          onLanguage={onLanguage}
        />
      )}
    </section>
  )
}
