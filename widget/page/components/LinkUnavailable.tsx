import { thisPage } from '../page-context.ts'
import { StatusCard } from './StatusCard.tsx'

/** The link takes no more payments. There is no way on from here to a shop's success page (U-1). */
export function Expired() {
  const { checkout, merchant, moment, t } = thisPage()
  const { expires } = checkout.checkout.value.terms
  return (
    <StatusCard mark="info" title={t('status.expired_title')}>
      <p class="text lead">
        {expires === null
          ? t('status.expired', { merchant })
          : t('status.expired_on', { merchant, date: moment(expires) })}
      </p>
    </StatusCard>
  )
}

/** Archived or never there: a stranger is told the same. */
export function Unavailable() {
  const { t } = thisPage()
  return (
    <StatusCard mark="info" title={t('status.unavailable_title')}>
      <p class="text lead">{t('status.unavailable')}</p>
    </StatusCard>
  )
}
