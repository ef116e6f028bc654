import { boundsMessage, OTHER, readPreset, readQuantity } from '../amount-choice.ts'
import { chunk } from '../chunks.ts'
import { usePage } from '../page-context.ts'
import { FormField } from '../form-field/FormField.tsx'

/** The amount, where the payer chooses it or how many they buy. */
export function AmountField() {
  const { checkout, form, t } = usePage()
  const { terms } = checkout.checkout.value
  const { amount_presets, unit_amount } = terms.choice ?? {}
  const { preset, quantity } = form.values
  const { Presets, Quantity } = chunk('choice') ?? {}
  if (!terms.amount_editable) return null
  if (unit_amount !== undefined) {
    return Quantity ? (
      <Quantity quantity={readQuantity(quantity.value, terms)} readQuantity={readQuantity} />
    ) : null
  }
  return (
    <fieldset class="section">
      <legend>
        <h2>{t('checkout.amount_title')}</h2>
      </legend>
      {amount_presets && Presets ? (
        <Presets
          presets={amount_presets}
          chosen={readPreset(preset.value, terms)}
          other={OTHER}
          OwnAmount={OwnAmount}
        />
      ) : (
        <OwnAmount />
      )}
    </fieldset>
  )
}

/** The field for an amount, with its bounds in words once: as the hint, or as the error. */
function OwnAmount() {
  const { checkout, form, formatAmount, t } = usePage()
  const { terms } = checkout.checkout.value
  const typed = form.typedAmount.value
  const bounds = boundsMessage(checkout.checkout.value)
  return (
    <>
      <FormField
        name="amount"
        label="checkout.amount"
        hint={form.errors.value.amount?.id === bounds?.id ? undefined : bounds}
        className="amount-field"
        mark={<span class="currency">{terms.currency}</span>}
        input={{
          name: 'transaction-amount',
          inputMode: terms.currency_digits === 0 ? 'numeric' : 'decimal',
          autocomplete: 'transaction-amount',
          maxLength: 24,
        }}
      />
      {typed.state === 'READ' && typed.ambiguous && (
        <p class="note amount-reading">
          {t('checkout.amount_read_as', { amount: formatAmount(typed.amount) })}
        </p>
      )}
    </>
  )
}
