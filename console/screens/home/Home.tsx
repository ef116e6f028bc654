import { useEffect } from 'preact/hooks'
import { useInstance } from '../../address.ts'
import type { ListMeta } from '../../api/lists.ts'
import { onLiveEvent } from '../../api/live-events.ts'
import { useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { AttentionList } from './AttentionList.tsx'
import { CheckoutsOfWeek } from './CheckoutsOfWeek.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { t } from './home-words.ts'
import { type ListedPayment, NewestPayments } from './NewestPayments.tsx'
import { Sums } from './Sums.tsx'
import './home.css'

/** Whether all is well: what needs attention, what came in, who paid last. */
export function Home() {
  const instance = useInstance()
  const canLink = usePermission('payment_links:write')
  const seesPayments = usePermission('payments:read')
  const seesReports = usePermission('reports:read')
  const newest = useResource<{ payments: ListedPayment[]; meta: ListMeta }>(
    seesPayments ? instance.api('/payments?limit=5&expand=account') : null,
  )
  useEffect(
    () =>
      onLiveEvent(({ type }) => {
        if (seesPayments && type.startsWith('payment.')) newest.reload()
      }),
    [instance.key, seesPayments],
  )
  const isNew = seesPayments && newest.data?.meta.total === 0
  return (
    <>
      <ScreenHead title={t('title')}>
        {canLink && (
          <ButtonLink kind="primary" icon="plus" href={instance.screen('/links/new')}>
            {t('new_link')}
          </ButtonLink>
        )}
      </ScreenHead>
      <div class="home">
        <AttentionList />
        {isNew ? (
          <FirstSteps />
        ) : (
          <>
            {seesReports && <Sums />}
            <div class="home-columns">
              {seesPayments &&
                (newest.data ? (
                  <NewestPayments payments={newest.data.payments} />
                ) : newest.error ? (
                  <ErrorPanel error={newest.error} retry={newest.reload} />
                ) : (
                  <Skeleton rows={5} />
                ))}
              {seesReports && <CheckoutsOfWeek />}
            </div>
          </>
        )}
      </div>
    </>
  )
}
