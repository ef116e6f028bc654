import { usePage } from '../page-context.ts'
import { BLOCK_ID, removeSaved, showRemovalStep } from '../remove-saved.ts'
import type { RemovalStep } from '../store.ts'
import type { StringId } from '../translator.ts'

const TEXTS: Readonly<Record<RemovalStep, StringId>> = {
  SAVED: 'receipt.saved',
  ASKING: 'methods.remove_sure',
  REMOVING: 'methods.remove_sure',
  FAILED: 'methods.not_removed',
  REMOVED: 'methods.removed',
}

/** Names the method that this session saved and offers to remove it, after a confirmation. */
export function SavedMethodNotice() {
  const { checkout, merchant, t } = usePage()
  const [saved] = checkout.checkout.value.saved_methods
  const step = checkout.removal.value
  const removed = step === 'REMOVED'
  if (!saved && !removed) return null
  const asking = step !== 'SAVED'
  return (
    <div class="removal" role="group" aria-label={t('receipt.method')} id={BLOCK_ID} tabIndex={-1}>
      <p class="note" tabIndex={-1}>
        {t(TEXTS[step], { merchant })}
      </p>
      {saved && !removed && (
        <button
          type="button"
          class={asking ? 'link problem' : 'link'}
          onClick={() =>
            asking ? void removeSaved(checkout, saved.id) : showRemovalStep(checkout, 'ASKING')
          }
        >
          {t('methods.remove')}
        </button>
      )}
      {asking && !removed && (
        <button type="button" class="link" onClick={() => showRemovalStep(checkout, 'SAVED')}>
          {t('methods.keep')}
        </button>
      )}
    </div>
  )
}
