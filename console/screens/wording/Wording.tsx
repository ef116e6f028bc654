import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { PlacedSentence, PreviewDrawing, SceneName } from '../../../shared/preview-messages.ts'
import { isOnPage } from '../../../shared/rules/string-ids.ts'
import { textDirection } from '../../../shared/rules/text-direction.ts'
import { themeCss } from '../../../shared/rules/theme-css.ts'
import { wordingProblem } from '../../../shared/rules/wording-problem.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { Preview } from '../../preview/Preview.tsx'
import { PreviewTools } from '../../preview/PreviewTools.tsx'
import { isLetter } from '../../shell/shortcuts.ts'
import { usePermission } from '../../shell/permissions.ts'
import { CheckField, SelectField } from '../../ui/Field.tsx'
import { Banner, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead, Tabs } from '../../ui/Tabs.tsx'
import { useDraft } from './draft.ts'
import { PublishBar } from './PublishBar.tsx'
import { createResolution, type OverrideRow } from './resolution.ts'
import { SentencePanel } from './SentencePanel.tsx'
import { isLoaded, SHIPPED_LANGUAGES, useShipped } from './shipped.ts'
import { States } from './States.tsx'
import { WordingHistory } from './WordingHistory.tsx'
import { WordingTable } from './WordingTable.tsx'
import { languageName, t } from './wording-words.ts'
import './wording.css'

/** The sentences of the payer's page, on the page itself. */
export function Wording() {
  const { api, key } = useInstance()
  const { query } = useLocation()
  const view = query['view'] ?? 'page'
  const instance = useResource<{ instance: InstanceRecord }>(api(''))
  const overrides = useResource<{ string_overrides: OverrideRow[] }>(
    api('/string_overrides?limit=1000'),
  )
  const strings = useResource<{ meta: { version: number } }>(api('/strings?limit=1'))
  const problem = instance.error ?? overrides.error ?? strings.error
  return (
    <div class="wording">
      <ScreenHead title={t('title')}>
        <ViewTabs view={view} />
      </ScreenHead>
      {instance.data && overrides.data && strings.data ? (
        <Editor
          key={key}
          view={view}
          instance={instance.data.instance}
          rows={overrides.data.string_overrides}
          version={strings.data.meta.version}
        />
      ) : problem ? (
        <ErrorPanel error={problem} retry={overrides.reload} />
      ) : (
        <Skeleton />
      )}
    </div>
  )
}

function ViewTabs({ view }: { view: string }) {
  const { url } = useLocation()
  const href = (id: string) => {
    const parts = new URLSearchParams(url.split('?')[1] ?? '')
    parts.set('view', id)
    return `${url.split('?')[0]}?${parts}`
  }
  const tabs = (['page', 'table', 'history'] as const).map((id) => ({
    id,
    label: t(`view_${id}`),
    href: href(id),
  }))
  return <Tabs label={t('title')} tabs={tabs} current={view} />
}

function Editor({
  view,
  instance,
  rows,
  version,
}: {
  view: string
  instance: InstanceRecord
  rows: readonly OverrideRow[]
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
  const shipped = useShipped(['default', language])
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
  const resolution = useMemo(
    () => createResolution(rows, draft.changes, shipped),
    [rows, draft.changes, shipped],
  )
  const published = useMemo(() => createResolution(rows, [], shipped), [rows, shipped])
  const onPage = useMemo(
    () => (ready ? resolution.ids(language).filter(isOnPage) : []),
    [ready, language],
  )
  const brandings = instance.brandings
  const theme = brandings.find((each) => each.key === branding)?.theme ?? instance.theme ?? {}
  const viewed = useMemo(() => ({ branding, language }), [branding, language])

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
    }
  }, [ready, scene, resolution, viewed, scheme, marks, chosen, onPage])

  const counts = useMemo(() => {
    const found: Record<string, number> = {}
    for (const names of Object.values(places)) {
      for (const each of names) found[each] = (found[each] ?? 0) + 1
    }
    return found
  }, [places])

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

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isLetter(event)) return
      if (event.key === '[') stepScene(-1)
      else if (event.key === ']') stepScene(1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })

  const base = shipped['default'] ?? {}
  const blocked = draft.changes.some(
    ({ id, text }) => text !== null && wordingProblem(base, id, text) !== null,
  )
  if (!drawing) return <Skeleton />
  const languages = [...new Set([...SHIPPED_LANGUAGES, ...rows.map((row) => row.language)])]
  return (
    <>
      {!editable && <Banner tone="news">{t('read_only')}</Banner>}
      <div class="wording-tools">
        <SelectField
          label={t('language')}
          value={language}
          options={languages.map((value) => ({ value, label: languageName(value) }))}
          onChange={(value) => go({ lang: value === 'default' ? null : value })}
        />
        {brandings.length > 0 && (
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
          </>
        )}
      </div>
      {view === 'history' ? (
        <WordingHistory editable={editable} />
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
            counts={counts}
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
            <Unseen sentences={drawn} texts={drawing.strings} onChoose={(id) => go({ id })} />
          </div>
          {chosen !== null && drawing.strings[chosen] !== undefined ? (
            <SentencePanel
              id={chosen}
              scope={scope}
              viewed={viewed}
              brandings={brandings}
              resolution={resolution}
              base={base}
              draft={draft}
              version={version}
              editable={editable}
              languages={Object.keys(shipped)}
              scenes={places[chosen]?.length ?? 0}
              onScope={setScope}
              onStep={step}
            />
          ) : (
            <p class="sentence muted">{t('choose')}</p>
          )}
        </div>
      )}
      {editable && (
        <PublishBar draft={draft} published={published} version={version} blocked={blocked} />
      )}
    </>
  )
}

/** What has no box on the page: names for screen readers, choices of a list, the title of the tab. */
function Unseen({
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
