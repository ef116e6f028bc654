import { thisPage } from '../page-context.ts'
import { BLOCK_ID, removeSaved, showStep } from '../remove-saved.ts'
import type { Removal } from '../store.ts'
import type { StringId } from '../translator.ts'

const TEXTS: Readonly<Record<Removal, StringId>> = {
  SAVED: 'receipt.saved',
  ASKING: 'methods.remove_sure',
  REMOVING: 'methods.remove_sure',
  FAILED: 'methods.not_removed',
  REMOVED: 'methods.removed',
}

/**
 * Tells the payer that this session saved the method, and lets them remove it. Nothing brings a
 * method back, so the removal asks once more.
 */
export function SavedMethodNotice() {
  const { checkout, merchant, t } = thisPage()
  const [saved] = checkout.checkout.value.saved_methods
  const step = checkout.removal.value
  const removed = step === 'REMOVED'
  if (!saved && !removed) return null
  const asked = step !== 'SAVED'
  return (
    <div class="sure" role="group" aria-label={t('receipt.method')} id={BLOCK_ID} tabIndex={-1}>
      <p class="note" tabIndex={-1}>
        {t(TEXTS[step], { merchant })}
      </p>
      {saved && !removed && (
        <button
          type="button"
          class={asked ? 'link problem' : 'link'}
          onClick={() =>
            asked ? void removeSaved(checkout, saved.id) : showStep(checkout, 'ASKING')
          }
        >
          {t('methods.remove')}
        </button>
      )}
      {asked && !removed && (
        <button type="button" class="link" onClick={() => showStep(checkout, 'SAVED')}>
          {t('methods.keep')}
        </button>
      )}
    </div>
  )
}
