import { chunk } from '../chunks.ts'
import { usePage } from '../page-context.ts'

/** The checkbox for saving the method, or the consent where it is saved in any case. */
export function SaveCard() {
  const page = usePage()
  const { form, merchant, t } = page
  const { consent, show, checked, locked } = form.saving.value
  const sentence =
    chunk('owed')?.consentText(page) || (consent && t('consent.sentence', { merchant }))
  if (sentence) return <p class="note consent">{sentence}</p>
  if (!show) return null
  const isCard = form.choice.value?.offered?.type === 'CARD'
  const hint = locked ? 'consent.save_needed' : isCard && 'consent.save_hint'
  return (
    <div class="save">
      <label class="check">
        <input
          type="checkbox"
          id="field-save-card"
          checked={checked}
          disabled={locked}
          aria-describedby="save-card-hint"
          onChange={(event) => (form.saveCard.value = event.currentTarget.checked)}
        />
        <span>{t('consent.save', { merchant })}</span>
      </label>
      <p class="hint" id="save-card-hint">
        {hint && t(hint, { merchant })}
      </p>
    </div>
  )
}
