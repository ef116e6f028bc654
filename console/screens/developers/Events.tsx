import { useRoute } from 'preact-iso'
import type { Event } from '../../../shared/schemas/event.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { criteriaValue } from '../../list/list-address.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { CopyText, Section } from '../../ui/Details.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import './developers.css'
import { DeveloperTabs } from './DeveloperTabs.tsx'
import { t } from './developers-words.ts'

/** What happened in the last thirty days. */
export function Events() {
  const list: ListDefinition<Event> = {
    name: 'events',
    title: t('events'),
    id: ({ id }) => id,
    href: ({ id }) => `/developers/events/${id}`,
    tabs: [{ id: 'all', label: t('all'), criteria: '' }],
    columns: [
      { id: 'type', label: t('type'), small: 'title', cell: ({ type }) => <code>{type}</code> },
      { id: 'about', label: t('about'), small: 'below', cell: ({ data }) => aboutOf(data) },
      {
        id: 'when',
        label: t('when'),
        end: true,
        small: 'end',
        field: 'created',
        cell: ({ created }) => <Ago at={created} />,
      },
    ],
    filters: [{ field: 'created', label: t('when'), type: 'date' }],
    search: (text) => `type=${criteriaValue(text)}`,
    empty: { text: t('empty_events') },
  }
  return (
    <>
      <DeveloperTabs current="events" />
      <ListScreen list={list} />
    </>
  )
}

/** The id of the record that an event is about. */
function aboutOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return ''
  const [record] = Object.values(data)
  return typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : ''
}

/** One event as webhooks carry it. */
export function EventScreen() {
  const { api, screen, timezone } = useInstance()
  const { params } = useRoute()
  const { data, error, reload } = useResource<{ event: Event }>(
    api(`/events/${encodeURIComponent(params['id'] ?? '')}`),
  )
  if (!data) return error ? <ErrorPanel isScreen error={error} retry={reload} /> : <Skeleton />
  const { event } = data
  return (
    <>
      <ScreenHead
        title={event.type}
        back={{ label: t('events'), href: screen('/developers/events') }}
      />
      <div class="developer-record">
        <p class="muted">{formatTime(event.created, timezone)}</p>
        <CopyText text={event.id} />
        <Section title={t('data')}>
          <pre class="snippet" tabIndex={0}>
            {JSON.stringify(event.data, null, 2)}
          </pre>
        </Section>
      </div>
    </>
  )
}
