import { thisPage } from '../page-context.ts'
import { FormField } from './FormField.tsx'

/** The amount where the payer chooses it; read in the payer's own number style. */
export function AmountField() {
  const { checkout, form, price, t } = thisPage()
  const { terms } = checkout.checkout.value
  const typed = form.typedAmount.value
  return (
    <fieldset class="section">
      <legend>
        <h2>{t('checkout.amount_title')}</h2>
      </legend>
      <FormField
        name="amount"
        label="checkout.amount"
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
        <p class="note read-back">
          {t('checkout.amount_read_as', { amount: price(typed.amount) })}
        </p>
      )}
    </fieldset>
  )
}
