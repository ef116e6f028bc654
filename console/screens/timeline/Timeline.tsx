import type { z } from 'zod'
import { useState } from 'preact/hooks'
import type { TimelineEntry, timelineResponse } from '../../../shared/schemas/timeline.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Details.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { formatMoment, formatTime, isSameDay } from '../../ui/Time.tsx'
import { entryDetail, entryTitle } from './entry-text.ts'
import { t } from './timeline-words.ts'
import './timeline.css'

const SHOWN = 25

/** Returns what happened to a record; the cache asks once for all that show it. */
export function useTimeline(of: string) {
  const { api } = useInstance()
  return useResource<z.output<typeof timelineResponse>>(api(`/timeline?of=${of}`))
}

/** What happened to a record, newest first. `of` is its id. */
export function Timeline({ of }: { of: string }) {
  const { data, error, reload } = useTimeline(of)
  const [isWhole, setWhole] = useState(false)
  if (!data) {
    return (
      <Section title={t('title')}>
        {error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />}
      </Section>
    )
  }
  const { timeline, complete } = data
  const shown = isWhole ? timeline : timeline.slice(0, SHOWN)
  return (
    <Section title={t('title')}>
      {timeline.length === 0 && <p class="muted">{t('nothing')}</p>}
      <ol class="timeline">
        {shown.map((entry, at) => (
          <Entry
            key={`${entry.at} ${entry.title_id} ${Object.values(entry.ids).join(' ')}`}
            entry={entry}
            newer={shown[at - 1]}
            of={of}
          />
        ))}
      </ol>
      {shown.length < timeline.length && (
        <Button kind="plain" onClick={() => setWhole(true)}>
          {t('all', { count: timeline.length })}
        </Button>
      )}
      {shown.length === timeline.length && !complete && <p class="muted">{t('older')}</p>}
    </Section>
  )
}

function Entry({
  entry,
  newer,
  of,
}: {
  entry: TimelineEntry
  newer: TimelineEntry | undefined
  of: string
}) {
  const { screen, timezone } = useInstance()
  const path = screenOf(entry, of)
  const hasAmount = /^(pay|pl|ck)_/.test(of)
  const detail = entryDetail(entry, { timezone, hasAmount })
  const isNewDay = !newer || !isSameDay(entry.at, newer.at, timezone)
  const title = entryTitle(entry)
  return (
    <li>
      <span class={`timeline-icon ${entry.tone}`}>
        <Icon name={iconOf(entry)} size={14} />
      </span>
      <div>
        <p class="timeline-title">{path ? <a href={screen(path)}>{title}</a> : title}</p>
        {detail !== '' && <p class="muted">{detail}</p>}
      </div>
      <time dateTime={entry.at} title={formatTime(entry.at, timezone)}>
        {formatMoment(entry.at, timezone, isNewDay)}
      </time>
    </li>
  )
}

const SCREENS: readonly (readonly [name: string, folder: string])[] = [
  ['event', 'developers/events'],
  ['payment', 'payments'],
  ['checkout', 'checkouts'],
  ['payment_link', 'links'],
  ['charge', 'charges'],
  ['contract', 'contracts'],
  ['account', 'customers'],
]

/** Returns the screen of an entry's record, unless that is the screen it stands on. */
function screenOf({ ids }: TimelineEntry, of: string): string | undefined {
  const [found] = SCREENS.flatMap(([name, folder]) => {
    const id = ids[name]
    return id === undefined ? [] : [{ id, path: `/${folder}/${id}` }]
  })
  return found && found.id !== of ? found.path : undefined
}

const ICON_OF_TONE: Readonly<Record<TimelineEntry['tone'], IconName>> = {
  ok: 'check',
  bad: 'x',
  wait: 'clock',
  ask: 'message-circle-question-mark',
  news: 'info',
  calm: 'pencil',
}

/** Of what neither succeeds nor fails. */
const ICONS: Partial<Record<TimelineEntry['title_id'], IconName>> = {
  account_created: 'user',
  account_anonymised: 'shield',
  charge_created: 'calendar',
  checkout_abandoned: 'log-out',
  checkout_challenged: 'lock',
  checkout_expired: 'log-out',
  checkout_method_chosen: 'credit-card',
  checkout_opened: 'eye',
  contract_created: 'calendar',
  contract_ended: 'ban',
  payment_cancelled: 'ban',
  payment_link_archived: 'archive',
  payment_link_created: 'link',
  payment_method_created: 'credit-card',
  payment_method_removed: 'trash',
  payment_scheduled: 'calendar',
  refund_success: 'undo-2',
  void_success: 'undo-2',
}

function iconOf({ title_id, tone }: TimelineEntry): IconName {
  return ICONS[title_id] ?? ICON_OF_TONE[tone]
}
