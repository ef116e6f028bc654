import { useRef } from 'preact/hooks'
import { intlLanguage } from '../../../shared/rules/wording.ts'
import type { QuantityProps } from '../chunks.ts'
import { inputId } from '../fields.ts'
import { usePage } from '../page-context.ts'

const ID = inputId('quantity')

/** How many the payer buys, with the price of one and the sum. */
export function Quantity({ quantity, readQuantity }: QuantityProps) {
  const { checkout, form, formatAmount, language, t } = usePage()
  const { terms } = checkout.checkout.value
  const { unit_amount = '0', quantity_max: most = 1 } = terms.choice ?? {}
  const input = useRef<HTMLInputElement>(null)
  const number = new Intl.NumberFormat(intlLanguage(language))
  const amount = form.amount.value

  /** Shows the quantity that counts, which is within the limits. */
  function pick(wanted: number): void {
    const next = String(readQuantity(String(wanted), terms))
    form.enter('quantity', next)
    if (input.current) input.current.value = next
  }

  return (
    <fieldset class="section">
      <legend>
        <h2>{t('checkout.quantity')}</h2>
      </legend>
      <div class="quantity">
        <div class="stepper">
          <Step
            text="−"
            label={t('checkout.quantity_less')}
            ends={quantity <= 1}
            to={() => pick(quantity - 1)}
          />
          <input
            ref={input}
            id={ID}
            type="number"
            inputMode="numeric"
            min={1}
            max={most}
            step={1}
            value={quantity}
            autocomplete="off"
            aria-label={t('checkout.quantity')}
            aria-describedby={`${ID}-hint`}
            onInput={({ currentTarget }) => {
              // An empty field is being edited.
              if (currentTarget.value !== '') pick(currentTarget.valueAsNumber)
            }}
            onBlur={() => pick(quantity)}
          />
          <Step
            text="+"
            label={t('checkout.quantity_more')}
            ends={quantity >= most}
            to={() => pick(quantity + 1)}
          />
        </div>
        <p class="sum">
          <bdi>
            {number.format(quantity)} × {formatAmount(unit_amount)}
          </bdi>
          {amount !== null && (
            <>
              {' = '}
              <bdi>
                <strong>{formatAmount(amount)}</strong>
              </bdi>
            </>
          )}
        </p>
      </div>
      <p class="hint" id={`${ID}-hint`}>
        {t('checkout.quantity_most', { max: number.format(most) })}
      </p>
    </fieldset>
  )
}

/** Keeps the focus at the end of the range, so it is not disabled there. */
function Step(props: { text: string; label: string; ends: boolean; to: () => void }) {
  return (
    <button
      type="button"
      class="step"
      aria-label={props.label}
      aria-controls={ID}
      aria-disabled={props.ends ? 'true' : undefined}
      onClick={props.to}
    >
      {props.text}
    </button>
  )
}
