import { useEffect } from 'preact/hooks'
import type { TotalsRow } from '../../../shared/schemas/totals.ts'
import { useInstance } from '../../address.ts'
import { onLiveEvent } from '../../api/live-events.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { formatMoney } from '../../ui/Money.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { language } from '../../words.ts'
import { t } from './home-words.ts'

interface Totals {
  totals: TotalsRow[]
}

/** Sums follow a change within a second. */
const FILED_MS = 1500
const WEEK_DAYS = 7

/** What came in today, on the same day last week and in thirty days, in each currency by itself. */
export function Sums() {
  const { api, timezone } = useInstance()
  const zone = timezone === null ? '' : `&timezone=${encodeURIComponent(timezone)}`
  const daysPath = api(`/totals?by=day${zone}`)
  const monthPath = api(`/totals?by=none${zone}`)
  const days = useResource<Totals>(daysPath)
  const month = useResource<Totals>(monthPath)
  const isUnfiled = month.data?.totals.length === 0
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const askLater = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        invalidate((path) => path === daysPath || path === monthPath)
      }, FILED_MS)
    }
    // The first payment is shown before it is filed.
    if (isUnfiled) askLater()
    const stop = onLiveEvent(({ type }) => {
      if (/^(payment|refund|reversal)\./.test(type)) askLater()
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [daysPath, monthPath, isUnfiled])
  const error = days.error ?? month.error
  if (!days.data || !month.data) {
    return error ? <ErrorPanel error={error} retry={days.reload} /> : <Skeleton rows={4} />
  }
  const byPayments = month.data.totals.toSorted((one, two) => two.payments - one.payments)
  return (
    <div class="sums">
      {byPayments.map((row) => (
        <CurrencySums
          key={row.currency}
          month={row}
          days={days.data?.totals.filter(({ currency }) => currency === row.currency) ?? []}
        />
      ))}
    </div>
  )
}

function CurrencySums({ month, days }: { month: TotalsRow; days: readonly TotalsRow[] }) {
  const { timezone } = useInstance()
  const today = days.at(-1)
  const lastWeek = days.at(-1 - WEEK_DAYS)
  const weekday = new Intl.DateTimeFormat(language(), {
    weekday: 'long',
    timeZone: timezone ?? 'UTC',
  })
  return (
    <section aria-label={`${t('money')}, ${month.currency}`}>
      <Figure label={t('today')} row={today} />
      <Figure
        label={t('last_week', { day: weekday.format(new Date(lastWeek?.from ?? Date.now())) })}
        row={lastWeek}
      />
      <Figure label={t('thirty_days')} row={month} />
      <Bars days={days} />
    </section>
  )
}

function Figure({ label, row }: { label: string; row: TotalsRow | undefined }) {
  if (!row) return null
  const isRefunded = Number(row.refunded) > 0
  return (
    <div class="figure">
      <h2>{label}</h2>
      <p class="number">{formatMoney(row.gross, row.currency)}</p>
      <p class="muted">
        {t('payments', { count: row.payments })}
        {isRefunded && ` · ${t('refunded', { amount: formatMoney(row.refunded, row.currency) })}`}
      </p>
    </div>
  )
}

/** A bar for each day. The figures beside it say the same in numbers. */
function Bars({ days }: { days: readonly TotalsRow[] }) {
  const { timezone } = useInstance()
  const date = new Intl.DateTimeFormat(language(), {
    day: 'numeric',
    month: 'short',
    timeZone: timezone ?? 'UTC',
  })
  const highest = Math.max(...days.map(({ gross }) => Number(gross)), 1)
  return (
    <div class="bars" role="img" aria-label={t('days', { currency: days[0]?.currency ?? '' })}>
      {days.map(({ from, gross, currency }) => (
        <i
          key={from}
          title={`${date.format(new Date(from))}: ${formatMoney(gross, currency)}`}
          style={{ blockSize: `${Math.max((Number(gross) / highest) * 100, 2)}%` }}
        />
      ))}
    </div>
  )
}
