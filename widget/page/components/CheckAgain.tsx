import { thisPage } from '../page-context.ts'
import type { StringId } from '../translator.ts'

/** Says that the page stopped looking, and offers to look again. */
export function CheckAgain(props: {
  given_up: StringId
  values?: Record<string, string>
  always?: boolean
}) {
  const { checkout, t } = thisPage()
  const tired = checkout.tired.value
  return (
    <div class="recheck" aria-live="polite">
      {tired && <p class="note">{t(props.given_up, props.values)}</p>}
      {checkout.connection.value === 'failing' && !tired && (
        <p class="note">{t('status.offline')}</p>
      )}
      {(tired || props.always) && checkout.ready.value && (
        <div class="actions">
          <button type="button" class="button quiet-button" onClick={checkout.checkNow}>
            {t('status.check_now')}
          </button>
        </div>
      )}
    </div>
  )
}
