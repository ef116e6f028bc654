import type { CheckoutReport } from '../../../shared/schemas/checkout-monitor.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { Section } from '../../ui/Details.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { t } from './home-words.ts'
import { countText } from '../../ui/count-text.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const STAGES = ['opened', 'submitted', 'completed'] as const

/** How many of those who opened a page paid. */
export function CheckoutsOfWeek() {
  const { api, screen } = useInstance()
  // Whole hours, so that a redrawn screen asks for the same report.
  const to = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS)
  const range = new URLSearchParams({
    from: new Date(to.getTime() - WEEK_MS).toISOString(),
    to: to.toISOString(),
  })
  const { data, error, reload } = useResource<{ checkout_monitor: CheckoutReport }>(
    api(`/checkout_monitor?${range.toString()}`),
  )
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton rows={3} />
  const { totals } = data.checkout_monitor
  return (
    <Section title={t('checkouts')} aside={<a href={screen('/checkouts')}>{t('see_all')}</a>}>
      <ol class="stages-of-week">
        {STAGES.map((stage) => (
          <li key={stage}>
            <span>{t(stage)}</span>
            <span class="bar">
              <i
                style={{
                  inlineSize: `${totals.opened === 0 ? 0 : (totals[stage] / totals.opened) * 100}%`,
                }}
              />
            </span>
            <b class="number">{countText(totals[stage])}</b>
          </li>
        ))}
      </ol>
    </Section>
  )
}
