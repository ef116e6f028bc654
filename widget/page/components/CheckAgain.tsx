import { usePage } from '../page-context.ts'
import type { StringId } from '../translator.ts'

/** Reports that polling fails or has stopped, and offers to check again. */
export function CheckAgain(props: {
  /** Shown once polling has stopped. */
  stopped: StringId
  /** Offers the button before polling stops, too. */
  always?: boolean
}) {
  const { checkout, merchant, t } = usePage()
  const stopped = checkout.pollingStopped.value
  return (
    <div class="check-again" aria-live="polite">
      {stopped && <p class="note">{t(props.stopped, { merchant })}</p>}
      {checkout.connection.value === 'failing' && !stopped && (
        <p class="note">{t('status.offline')}</p>
      )}
      {(stopped || props.always) && checkout.hydrated.value && (
        <div class="actions">
          <button type="button" class="button secondary" onClick={checkout.checkNow}>
            {t('status.check_now')}
          </button>
        </div>
      )}
    </div>
  )
}
