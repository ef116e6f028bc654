import { useLocation } from 'preact-iso'
import { languageName } from '../../../shared/rules/display.ts'
import type { CheckoutReport } from '../../../shared/schemas/checkout-monitor.ts'
import type { CheckoutRecord } from '../../../shared/schemas/checkout-record.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import type { ListDefinition } from '../../list/definition.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { Segmented } from '../../ui/Field.tsx'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { t } from './checkouts-words.ts'
import './checkouts.css'
import { countText } from '../../ui/count-text.ts'

export function checkoutStatus({ status }: Pick<CheckoutRecord, 'status'>): {
  tone: Tone
  label: string
} {
  switch (status) {
    case 'COMPLETED':
      return { tone: 'ok', label: t('completed') }
    case 'PENDING':
      return { tone: 'wait', label: t('pending') }
    case 'SUBMITTED':
      return { tone: 'wait', label: t('under_way') }
    case 'ABANDONED':
      return { tone: 'bad', label: t('abandoned') }
    case 'EXPIRED':
      return { tone: 'calm', label: t('expired') }
    case 'OPEN':
      return { tone: 'news', label: t('open') }
  }
}

export const STAGES = ['opened', 'details_done', 'method_chosen', 'submitted', 'completed'] as const

type ListedCheckout = Omit<CheckoutRecord, 'payment_link'> & { payment_link: PaymentLink | null }

/** Where payers give up, and every session. */
export function Checkouts() {
  const list: ListDefinition<ListedCheckout> = {
    name: 'checkouts',
    title: t('title'),
    id: ({ id }) => id,
    href: ({ id }) => `/checkouts/${id}`,
    expand: 'payment_link',
    tabs: [
      { id: 'all', label: t('all'), criteria: '' },
      { id: 'abandoned', label: t('abandoned'), criteria: 'status=ABANDONED' },
      { id: 'under_way', label: t('under_way'), criteria: 'status=SUBMITTED;PENDING' },
      { id: 'completed', label: t('completed'), criteria: 'status=COMPLETED' },
    ],
    columns: [
      {
        id: 'link',
        label: t('link'),
        small: 'title',
        cell: ({ payment_link: link, alt_key }) => (
          <>
            {link?.options.name ?? t('checkout')}
            <span class="reference">{alt_key ?? ''}</span>
          </>
        ),
      },
      {
        id: 'how_far',
        label: t('how_far'),
        small: 'below',
        cell: ({ milestones }) => <Stages milestones={milestones} />,
      },
      {
        id: 'status',
        label: t('status'),
        small: 'end',
        cell: (checkout) => (
          <Pill tone={checkoutStatus(checkout).tone}>{checkoutStatus(checkout).label}</Pill>
        ),
      },
      { id: 'language', label: t('language'), cell: ({ language }) => languageText(language) },
      {
        id: 'when',
        label: t('when'),
        end: true,
        field: 'created',
        small: 'end',
        cell: ({ created }) => <Ago at={created} />,
      },
      {
        id: 'attempts',
        label: t('attempts'),
        end: true,
        standard: false,
        cell: ({ attempts }) => attempts.length,
      },
      {
        id: 'embedded_at',
        label: t('embedded_at'),
        standard: false,
        cell: ({ embedded_origin }) => embedded_origin ?? '–',
      },
    ],
    filters: [
      { field: 'created', label: t('created'), type: 'date' },
      { field: 'language', label: t('language'), type: 'text' },
      { field: 'branding', label: t('branding'), type: 'text' },
    ],
    empty: { text: t('empty') },
  }
  return (
    <>
      <Funnel />
      <ListScreen list={list} />
    </>
  )
}

/** A language by its own name; `default` is the base wording. */
export function languageText(code: string): string {
  return code === 'default' ? t('base_language') : languageName(code)
}

/** Dots for the stages that a session reached. */
function Stages({ milestones }: Pick<CheckoutRecord, 'milestones'>) {
  const reached = STAGES.filter((stage) => milestones[stage] !== null)
  return (
    <span class="stages" role="img" aria-label={reached.map((stage) => t(stage)).join(', ')}>
      {STAGES.map((stage) => (
        <i key={stage} class={milestones[stage] === null ? '' : 'reached'} />
      ))}
    </span>
  )
}

const DAY_MS = 86_400_000
const RANGES = ['1', '7', '30'] as const

/** Fewer sessions say nothing in percent. */
const PERCENT_MIN = 20

function Funnel() {
  const { api } = useInstance()
  const { path, query, route } = useLocation()
  const days = RANGES.find((one) => one === query['days']) ?? '7'
  // Whole hours, so that a redrawn screen asks for the same report.
  const to = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000)
  const from = new Date(to.getTime() - Number(days) * DAY_MS)
  const range = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })
  const { data, error, reload } = useResource<{ checkout_monitor: CheckoutReport }>(
    api(`/checkout_monitor?${range.toString()}`),
  )
  const report = data?.checkout_monitor
  return (
    <section class="funnel" aria-label={t('funnel')}>
      <header>
        <h2>{t('funnel')}</h2>
        <Segmented
          label={t('range')}
          value={days}
          options={RANGES.map((value) => ({
            value,
            label: t('last_days', { count: Number(value) }),
          }))}
          onChange={(value) => route(`${path}?days=${value}`, true)}
        />
      </header>
      {error && !report ? (
        <ErrorPanel error={error} retry={reload} />
      ) : !report ? (
        <Skeleton rows={3} />
      ) : (
        <>
          <ol>
            {STAGES.map((stage) => {
              const count = report.totals[stage]
              const { opened } = report.totals
              const share = opened === 0 ? 0 : count / opened
              return (
                <li key={stage}>
                  <span>{t(stage)}</span>
                  <span class="bar">
                    <i style={{ inlineSize: `${share * 100}%` }} />
                  </span>
                  <b class="number">{countText(count)}</b>
                  <span class="number muted">
                    {opened >= PERCENT_MIN ? `${Math.round(share * 100)} %` : ''}
                  </span>
                </li>
              )
            })}
          </ol>
          <div>
            {report.totals.opened < PERCENT_MIN && <p class="muted">{t('few')}</p>}
            {report.median_seconds_to_pay !== null && (
              <p>
                {t('median', {
                  time: t('seconds', { count: Math.round(report.median_seconds_to_pay) }),
                })}
              </p>
            )}
            <h3>{t('declines')}</h3>
            {report.declines.length === 0 ? (
              <p class="muted">{t('no_declines')}</p>
            ) : (
              <ul>
                {report.declines.slice(0, 5).map(({ code, count }) => (
                  <li key={code}>
                    {code.toLowerCase().replaceAll('_', ' ')} <b class="number">{count}</b>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </>
      )}
    </section>
  )
}
