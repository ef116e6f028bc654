import { thisPage } from '../page-context.ts'

/** The choice to save the method, or the sentence that it will be saved (contract section 8). */
export function SaveCard() {
  const { form, merchant, t } = thisPage()
  const saving = form.saving.value
  if (saving.consent) return <p class="note consent">{t('consent.sentence', { merchant })}</p>
  if (!saving.show) return null
  return (
    <div class="save">
      <label class="check">
        <input
          type="checkbox"
          id="field-save-card"
          checked={saving.checked}
          disabled={saving.locked}
          aria-describedby="save-card-hint"
          onChange={(event) => form.wishToSave(event.currentTarget.checked)}
        />
        <span>{t('consent.save', { merchant })}</span>
      </label>
      <p class="hint" id="save-card-hint">
        {t(saving.locked ? 'consent.save_needed' : 'consent.save_hint', { merchant })}
      </p>
    </div>
  )
}
