import { useLayoutEffect, useRef } from 'preact/hooks'
import { WarningIcon } from '../../ui/icons.tsx'
import type { PresetsProps } from '../chunks.ts'
import { inputId } from '../fields.ts'
import { usePage } from '../page-context.ts'
import css from '../style/choice.css?inline'

// The policy of the page allows no further style element, and `@media all` makes one rule of all.
if (typeof document !== 'undefined') {
  const [sheet] = document.styleSheets
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length)
}

/** Suggested amounts, and `other` for the field of another one. */
export function Presets(props: PresetsProps) {
  const { presets, chosen, other, OwnAmount } = props
  const { form, formatAmount, t } = usePage()
  const group = useRef<HTMLDivElement>(null)
  const error = chosen === other ? undefined : form.errors.value.amount
  const id = inputId('amount')

  function pick(value: string): void {
    form.enter('preset', value)
    form.setError('amount', undefined)
  }

  // The payer may have picked before the script ran.
  useLayoutEffect(() => {
    const picked = group.current?.querySelector<HTMLInputElement>(':checked')?.value
    if (picked !== undefined && picked !== chosen) pick(picked)
  }, [])

  return (
    <>
      <div
        class="presets"
        ref={group}
        role="radiogroup"
        aria-label={t('checkout.amount')}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={error && `${id}-error`}
        // The field for another amount has the id where it is shown.
        id={chosen === other ? undefined : id}
        tabIndex={-1}
      >
        {[...presets, other].map((value) => (
          <label key={value} class={value === chosen ? 'preset chosen' : 'preset'}>
            <input
              type="radio"
              name="preset"
              value={value}
              checked={value === chosen}
              autocomplete="off"
              onChange={() => pick(value)}
            />
            <span>{value === other ? t('checkout.own_amount') : formatAmount(value)}</span>
          </label>
        ))}
      </div>
      {chosen === other && <OwnAmount />}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <WarningIcon />
          <span>{t(error)}</span>
        </p>
      )}
    </>
  )
}
