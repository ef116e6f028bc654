import { InfoIcon, WarningIcon } from '../../ui/icons.tsx'
import { thisPage } from '../page-context.ts'

/**
 * What stands above the form. The region is there from the first paint, because screen readers
 * miss one that is put in together with its words; a new key makes a repeated message new.
 */
export function NoticeRegion() {
  const { checkout, merchant, price, t } = thisPage()
  const notice = checkout.notice.value
  const { amount } = checkout.checkout.value.terms
  const values = { merchant, amount: amount === null ? '' : price(amount) }
  return (
    <div role="alert" class="notice-region" id="notice" tabIndex={-1}>
      {notice !== null && (
        <div class={`notice ${notice.tone}`} key={checkout.attention.value}>
          {notice.tone === 'problem' ? <WarningIcon /> : <InfoIcon />}
          <p>{t(notice.id, { ...values, ...notice.values })}</p>
        </div>
      )}
    </div>
  )
}

/** For screen readers: what happens without anything to read at the place of the focus. */
export function WhisperRegion() {
  const { checkout, say } = thisPage()
  const words = checkout.whisper.value
  return (
    <div role="status" class="quiet">
      {words !== null && <p key={words.id}>{say(words)}</p>}
    </div>
  )
}

/** For a page whose script is late or never comes; the style sheet brings it out after a while. */
export function LateNotice() {
  const { checkout, t } = thisPage()
  if (checkout.ready.value) return null
  return (
    <>
      <noscript>
        <p class="notice problem">{t('status.script_needed')}</p>
      </noscript>
      <p class="notice problem late">
        <span>
          {t('status.script_late')} <a href="">{t('status.reload')}</a>
        </span>
      </p>
    </>
  )
}
