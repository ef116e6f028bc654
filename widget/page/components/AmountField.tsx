import type { CheckoutView, PageModel } from '../../../shared/page-model.ts'
import { numberStyle } from '../../../shared/rules/number-style.ts'
import { readTypedAmount, type TypedAmount } from '../../../shared/rules/typed-amount.ts'
import { usePage } from '../page-context.ts'
import { FormField } from '../form-field/FormField.tsx'

/** The amount, where the payer chooses it. */
export function AmountField() {
  const { checkout, form, formatAmount, t } = usePage()
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
        <p class="note amount-reading">
          {t('checkout.amount_read_as', { amount: formatAmount(typed.amount) })}
        </p>
      )}
    </fieldset>
  )
}

/** Parses an amount in the number style of the page's language, with or without the currency. */
export function readAmount(text: string, checkout: CheckoutView, model: PageModel): TypedAmount {
  const { language, terms } = checkout
  return readTypedAmount(text, {
    // The server sends the style of the first language.
    style: language === model.checkout.language ? model.number_style : numberStyle(language),
    currency: terms.currency,
    digits: terms.currency_digits,
    languages: [language, ...model.languages],
  })
}
