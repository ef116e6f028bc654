import { InfoIcon, WarningIcon } from '../../ui/icons.tsx'
import { usePage } from '../page-context.ts'

/**
 * The message above the form. The region is rendered before it has a message, because screen readers
 * miss a live region that appears together with its text. A new key announces a repeated message.
 */
export function NoticeRegion() {
  const { checkout, formatAmount, merchant, t } = usePage()
  const notice = checkout.notice.value
  const { amount } = checkout.checkout.value.terms
  const values = { merchant, amount: amount === null ? '' : formatAmount(amount) }
  return (
    <div role="alert" class="notice-region" id="notice" tabIndex={-1}>
      {notice !== null && (
        <div class={`notice ${notice.tone}`} key={checkout.focusRequests.value}>
          {notice.tone === 'problem' ? <WarningIcon /> : <InfoIcon />}
          <p>{t(notice.id, { ...values, ...notice.values })}</p>
        </div>
      )}
    </div>
  )
}

/** For screen readers only. */
export function AnnouncementRegion() {
  const { checkout, t } = usePage()
  const message = checkout.announcement.value
  return (
    <div role="status" class="visually-hidden">
      {message !== null && <p key={message.id}>{t(message)}</p>}
    </div>
  )
}

/** The style sheet shows it after a while, in case the script never runs. */
export function LateNotice() {
  const { checkout, t } = usePage()
  if (checkout.hydrated.value) return null
  return (
    <>
      <noscript>
        <p class="notice problem">{t('status.script_needed')}</p>
      </noscript>
      <p class="notice problem delayed">
        <span>
          {t('status.script_late')} <a href="">{t('status.reload')}</a>
        </span>
      </p>
    </>
  )
}
