import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { onLiveEvent } from '../../api/live-events.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead, Tabs } from '../../ui/Tabs.tsx'
import { Editor } from './Editor.tsx'
import { type AckRow, type OverrideRow, useAll } from './overrides.ts'
import { t } from './wording-words.ts'
import './wording.css'

const VIEWS = ['page', 'table', 'history', 'files'] as const

/** The sentences of the payer's page, on the page itself. */
export function Wording() {
  const { api, key } = useInstance()
  const { query } = useLocation()
  const view = query['view'] ?? 'page'
  const instance = useResource<{ instance: InstanceRecord }>(api(''))
  const overrides = useAll<OverrideRow>(api('/string_overrides'), 'string_overrides')
  const acks = useAll<AckRow>(api('/string_acks'), 'string_acks')
  const strings = useResource<{ meta: { version: number } }>(api('/strings?limit=1'))
  useEffect(
    () =>
      onLiveEvent(({ type }) => {
        if (type === 'strings.updated') invalidate((path) => path.startsWith(api('/string')))
      }),
    [key],
  )
  const problem = instance.error ?? overrides.error ?? acks.error ?? strings.error
  return (
    <div class="wording">
      <ScreenHead title={t('title')}>
        <ViewTabs view={view} />
      </ScreenHead>
      {instance.data && overrides.rows && acks.rows && strings.data ? (
        <Editor
          key={key}
          view={view}
          instance={instance.data.instance}
          rows={overrides.rows}
          acks={acks.rows}
          version={strings.data.meta.version}
        />
      ) : problem ? (
        <ErrorPanel
          error={problem}
          retry={() => {
            for (const each of [instance, overrides, acks, strings]) each.reload()
          }}
        />
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
  const tabs = VIEWS.map((id) => ({ id, label: t(`view_${id}`), href: href(id) }))
  return <Tabs label={t('title')} tabs={tabs} current={view} />
}
