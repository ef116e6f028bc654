import { usePage } from '../page-context.ts'
import { StatusCard } from './StatusCard.tsx'

/** Has no link to the merchant's success page, because nothing was paid. */
export function Expired() {
  const { checkout, formatDateTime, merchant, t } = usePage()
  const { expires } = checkout.checkout.value.terms
  return (
    <StatusCard icon="info" title={t('status.expired_title')}>
      <p class="text lead">
        {expires === null
          ? t('status.expired', { merchant })
          : t('status.expired_on', { merchant, date: formatDateTime(expires) })}
      </p>
    </StatusCard>
  )
}

/** The same for an archived link and for one that never existed. */
export function Unavailable() {
  const { t } = usePage()
  return (
    <StatusCard icon="info" title={t('status.unavailable_title')}>
      <p class="text lead">{t('status.unavailable')}</p>
    </StatusCard>
  )
}

/** Every charge of the link is paid another way, or not asked for any more. */
export function Settled() {
  const { merchant, t } = usePage()
  return (
    <StatusCard icon="info" title={t('status.settled_title')}>
      <p class="text lead">{t('status.settled', { merchant })}</p>
    </StatusCard>
  )
}
