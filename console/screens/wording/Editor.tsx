import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { PlacedSentence, PreviewDrawing, SceneName } from '../../../shared/preview-messages.ts'
import { isOnPage } from '../../../shared/rules/string-ids.ts'
import { textDirection } from '../../../shared/rules/text-direction.ts'
import { themeCss } from '../../../shared/rules/theme-css.ts'
import { wordingProblem } from '../../../shared/rules/wording-problem.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { Preview } from '../../preview/Preview.tsx'
import { PreviewTools } from '../../preview/PreviewTools.tsx'
import { isLetter } from '../../shell/shortcuts.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField, SelectField } from '../../ui/Field.tsx'
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
import { t } from './wording-words.ts'

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
  const language = query['lang'] ?? 'default'
  const branding = query['branding'] ?? ''
  const scene = query['state'] ?? 'form'
  const chosen = query['id'] ?? null
  const editable = usePermission('strings:write')
  const draft = useDraft(key)
  const shipped = useShipped(language)
  const [scenes, setScenes] = useState<SceneName[]>([])
  const [drawn, setDrawn] = useState<PlacedSentence[]>([])
  const [places, setPlaces] = useState<Readonly<Record<string, readonly string[]>>>({})
  const [device, setDevice] = useState<'phone' | 'desktop'>('phone')
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [marks, setMarks] = useState(true)
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
  const languages = useMemo(() => languagesOf(rows), [rows])
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

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isLetter(event)) return
      if (event.key === '[') stepScene(-1)
      else if (event.key === ']') stepScene(1)
      else if (event.key === 's') nextStale()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })

  const base = shipped['default'] ?? {}
  const blocked = draft.changes.some(
    ({ id, text }) => text !== null && wordingProblem(base, id, text) !== null,
  )
  if (!drawing) return <Skeleton />
  return (
    <>
      {!editable && <Banner tone="news">{t('read_only')}</Banner>}
      <div class="wording-tools">
        {view !== 'history' && (
          <LanguageField
            languages={languages}
            viewed={viewed}
            published={published}
            shipped={shipped}
            onChange={(value) => go({ lang: value === 'default' ? null : value })}
          />
        )}
        {view !== 'history' && brandings.length > 0 && (
          <SelectField
            label={t('branding')}
            value={branding}
            options={[
              { value: '', label: t('branding_none') },
              ...brandings.map((each) => ({ value: each.key, label: each.name })),
            ]}
            onChange={(value) => go({ branding: value })}
          />
        )}
        {view === 'page' && (
          <>
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
        <WordingFiles scope={viewed} published={published} draft={draft} editable={editable} />
      ) : view === 'table' ? (
        <WordingTable
          branding={branding}
          language={language}
          resolution={resolution}
          draft={draft}
          onChoose={choose}
        />
      ) : (
        <div class="wording-page">
          <States
            scenes={scenes}
            places={places}
            stale={stale}
            current={scene}
            onChoose={(state) => go({ state })}
          />
          <div class="wording-preview">
            <Preview
              drawing={drawing}
              device={device}
              ids={onPage}
              onReady={setScenes}
              onDrawn={setDrawn}
              onChosen={(id) => go({ id })}
              onFound={setPlaces}
            />
            <UnseenSentences
              sentences={drawn}
              texts={drawing.strings}
              onChoose={(id) => go({ id })}
            />
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
              editable={editable}
              languages={languages}
              scenes={places[chosen]?.length ?? 0}
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
