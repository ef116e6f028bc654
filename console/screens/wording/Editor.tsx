import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type {
  PlacedSentence,
  PreviewDrawing,
  SceneName,
  SentenceFit,
} from '../../../shared/preview-messages.ts'
import { isOnPage } from '../../../shared/rules/string-ids.ts'
import { textDirection } from '../../../shared/rules/text-direction.ts'
import { themeCss } from '../../../shared/rules/theme-css.ts'
import { wordingProblem } from '../../../shared/rules/wording-problem.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { boot } from '../../boot.ts'
import { Preview } from '../../preview/Preview.tsx'
import { PreviewTools } from '../../preview/PreviewTools.tsx'
import { isLetter, isTyping, lettersAct } from '../../shell/shortcuts.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField, SelectField, TextField } from '../../ui/Field.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { Banner, Skeleton } from '../../ui/States.tsx'
import { useDraft } from './draft.ts'
import { LanguageField } from './LanguageField.tsx'
import type { AckRow, OverrideRow } from './overrides.ts'
import { PublishBar } from './PublishBar.tsx'
import { createResolution } from './resolution.ts'
import { SentencePanel } from './SentencePanel.tsx'
import { languagesOf } from '../../shipped-languages.ts'
import { isLoaded, useShipped } from './shipped.ts'
import { States } from './States.tsx'
import { UnseenSentences } from './UnseenSentences.tsx'
import { WordingFiles } from './WordingFiles.tsx'
import { WordingHistory } from './WordingHistory.tsx'
import { WordingTable } from './WordingTable.tsx'
import { languageName, t } from './wording-words.ts'

const isLanguageCode = (text: string) => /^[a-z]{2}$/.test(text)
const asLanguage = (language: string) => ({ language })

/** Edits what is published, with a draft over it, in one of four views. */
export function Editor({
  view,
  instance,
  rows,
  acks,
  version,
}: {
  view: string
  instance: InstanceRecord
  rows: readonly OverrideRow[]
  acks: readonly AckRow[]
  version: number
}) {
  const { key, name, currency } = useInstance()
  const { query, route, path } = useLocation()
  const asked = query['lang'] ?? ''
  const language = isLanguageCode(asked) ? asked : 'default'
  const branding = query['branding'] ?? ''
  const scene = query['state'] ?? 'form'
  const chosen = query['id'] ?? null
  const editable = usePermission('strings:write')
  const ownLanguages = boot.user.languages
  const isWritable = (each: string) =>
    editable && (ownLanguages === null || ownLanguages.includes(each))
  const tools = useRef<HTMLDivElement>(null)
  const draft = useDraft(key)
  const shipped = useShipped(language)
  const [scenes, setScenes] = useState<SceneName[]>([])
  const [drawn, setDrawn] = useState<PlacedSentence[]>([])
  const [fit, setFit] = useState<SentenceFit | null>(null)
  const [places, setPlaces] = useState<Readonly<Record<string, readonly string[]>>>({})
  const [device, setDevice] = useState<'phone' | 'desktop'>('phone')
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [marks, setMarks] = useState(true)
  const [search, setSearch] = useState('')
  const [scope, setScope] = useState({ branding, language })
  useEffect(() => setScope({ branding, language }), [branding, language])

  function go(change: Record<string, string | null>): void {
    const parts = new URLSearchParams(location.search)
    for (const [part, value] of Object.entries(change)) {
      if (value === null || value === '') parts.delete(part)
      else parts.set(part, value)
    }
    route(`${path}?${parts}`, true)
  }

  const ready = isLoaded(shipped, 'default') && isLoaded(shipped, language)
  const published = useMemo(() => createResolution({ rows, acks }, shipped), [rows, acks, shipped])
  const resolution = useMemo(
    () => createResolution({ rows, acks }, shipped, draft.changes, published),
    [published, draft.changes],
  )
  const onPage = useMemo(
    () => (ready ? resolution.ids(language).filter(isOnPage) : []),
    [ready, language],
  )
  const shown = useMemo(
    () =>
      (query['langs'] ?? (language === 'default' ? '' : language))
        .split(',')
        .filter(isLanguageCode),
    [query['langs'], language],
  )
  const languages = useMemo(
    () => languagesOf([...rows, ...draft.changes, ...[language, ...shown].map(asLanguage)]),
    [rows, draft.changes, language, shown],
  )
  const brandings = instance.brandings
  const theme = brandings.find((each) => each.key === branding)?.theme ?? instance.theme ?? {}
  const viewed = useMemo(() => ({ branding, language }), [branding, language])
  const stale = useMemo(
    () => (ready ? resolution.staleIds(viewed) : []),
    [ready, resolution, viewed],
  )

  const drawing = useMemo((): PreviewDrawing | undefined => {
    if (!ready) return undefined
    const ownScopes = [viewed, { branding: '', language }, { branding, language: 'default' }]
    return {
      scene,
      strings: resolution.texts(viewed),
      language,
      direction: textDirection(language),
      merchant: brandings.find((each) => each.key === branding)?.name ?? name,
      currency,
      css: themeCss(theme),
      scheme,
      marked: marks ? onPage : [],
      chosen,
      own: ownScopes.flatMap((each) => resolution.own(each)),
      stale,
    }
  }, [ready, scene, resolution, viewed, scheme, marks, chosen, onPage, stale])

  function choose(id: string): void {
    const names = places[id] ?? []
    // A sentence of another state leads there.
    const elsewhere = names.length > 0 && !names.includes(scene)
    go({ id, ...(elsewhere && { state: names[0] ?? scene }), view: null })
  }

  function step(by: 1 | -1): void {
    const at = drawn.findIndex(({ id }) => id === chosen)
    const next = drawn[(at + by + drawn.length) % drawn.length]
    if (next) go({ id: next.id })
  }

  function stepScene(by: 1 | -1): void {
    const at = scenes.findIndex((each) => each.name === scene)
    const next = scenes[(at + by + scenes.length) % scenes.length]
    if (next) go({ state: next.name })
  }

  function nextStale(): void {
    const next = stale[(stale.indexOf(chosen ?? '') + 1) % stale.length]
    if (next !== undefined) choose(next)
  }

  const focusField = (selector: string, within: ParentNode | null = document) =>
    within?.querySelector<HTMLElement>(selector)?.focus()

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
      if (isUndo && !event.shiftKey && !isTyping(event)) {
        if (draft.undo()) event.preventDefault()
        return
      }
      if (!isLetter(event)) return
      const act = {
        '[': () => stepScene(-1),
        ']': () => stepScene(1),
        s: nextStale,
        e: () => focusField('.sentence textarea'),
        l: () => focusField('select', tools.current),
        b: () => focusField('.wording-branding select', tools.current),
        '/': () => focusField('[role=search] input'),
      }[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })

  const isInState = useMemo(
    () => (id: string) => places[id]?.includes(scene) === true,
    [places, scene],
  )
  const base = shipped['default'] ?? {}
  const blocked = draft.changes.some(
    ({ id, text }) => text !== null && wordingProblem(base, id, text) !== null,
  )
  // Some ninety states, which no key changes.
  const states = useMemo(
    () => (
      <States
        scenes={scenes}
        places={places}
        stale={stale}
        current={scene}
        onChoose={(state) => go({ state })}
      />
    ),
    [scenes, places, stale.join(), scene, path],
  )
  if (!drawing) return <Skeleton />
  return (
    <>
      {!editable && <Banner tone="news">{t('read_only')}</Banner>}
      {editable && ownLanguages !== null && (
        <Banner tone="news">
          {t('own_languages', { languages: ownLanguages.map(languageName).join(', ') })}
        </Banner>
      )}
      <div class="wording-tools" ref={tools}>
        {(view === 'page' || view === 'files') && (
          <LanguageField
            languages={languages}
            viewed={viewed}
            published={published}
            shipped={shipped}
            onChange={(value) => go({ lang: value === 'default' ? null : value })}
          />
        )}
        {view !== 'history' && brandings.length > 0 && (
          <div class="wording-branding">
            <SelectField
              label={t('branding')}
              value={branding}
              options={[
                { value: '', label: t('branding_none') },
                ...brandings.map((each) => ({ value: each.key, label: each.name })),
              ]}
              onChange={(value) => go({ branding: value })}
            />
          </div>
        )}
        {view === 'page' && (
          <>
            <form
              role="search"
              onSubmit={(event) => {
                event.preventDefault()
                go({ view: 'table', find: search })
              }}
            >
              <TextField type="search" label={t('search')} value={search} onInput={setSearch} />
            </form>
            <PreviewTools
              device={device}
              scheme={scheme}
              onDevice={setDevice}
              onScheme={setScheme}
            />
            <CheckField label={t('marks')} checked={marks} onChange={setMarks} />
            {stale.length > 0 && (
              <Button icon="triangle-alert" keys="S" onClick={nextStale}>
                {t('next_stale', { count: stale.length })}
              </Button>
            )}
          </>
        )}
      </div>
      {view === 'history' ? (
        <WordingHistory published={published} editable={editable} />
      ) : view === 'files' ? (
        <WordingFiles
          scope={viewed}
          published={published}
          draft={draft}
          editable={isWritable(language)}
        />
      ) : view === 'table' ? (
        <WordingTable
          branding={branding}
          languages={languages}
          shown={shown}
          resolution={resolution}
          shipped={shipped}
          draft={draft}
          version={version}
          isInState={isInState}
          isWritable={isWritable}
          onShown={(chosen) => go({ langs: chosen.join() })}
          onChoose={choose}
        />
      ) : (
        <div class="wording-page">
          {states}
          <div class="wording-preview">
            <Preview
              drawing={drawing}
              device={device}
              ids={onPage}
              onReady={setScenes}
              onDrawn={(sentences, next) => {
                setDrawn(sentences)
                setFit(next)
              }}
              onChosen={(id) => go({ id })}
              onFound={setPlaces}
            />
            <UnseenSentences
              sentences={drawn}
              texts={drawing.strings}
              onChoose={(id) => go({ id })}
            />
            {lettersAct() && (
              <p class="wording-keys muted" aria-hidden="true">
                <span>
                  <Keys keys="[ ]" /> {t('keys_state')}
                </span>
                <span>
                  <Keys keys="L" /> {t('language')}
                </span>
                {brandings.length > 0 && (
                  <span>
                    <Keys keys="B" /> {t('branding')}
                  </span>
                )}
                <span>
                  <Keys keys="/" /> {t('search')}
                </span>
              </p>
            )}
          </div>
          {chosen !== null && drawing.strings[chosen] !== undefined ? (
            <SentencePanel
              key={chosen}
              id={chosen}
              scope={scope}
              viewed={viewed}
              brandings={brandings}
              resolution={resolution}
              shipped={shipped}
              draft={draft}
              version={version}
              isWritable={isWritable}
              languages={languages}
              scenes={places[chosen]?.length ?? 0}
              fit={fit}
              device={device}
              onChoose={(id) => go({ id })}
              onScope={setScope}
              onStep={step}
              onLanguage={(value) => go({ lang: value === 'default' ? null : value })}
            />
          ) : (
            <p class="sentence muted">{t('choose')}</p>
          )}
        </div>
      )}
      {editable && (
        <PublishBar
          draft={draft}
          published={published}
          places={places}
          version={version}
          blocked={blocked}
        />
      )}
    </>
  )
}
