import { thisPage } from '../page-context.ts'
import { FormField } from './FormField.tsx'

/** The reference and the comment, where the payer may give or change them. */
export function ReferenceFields() {
  const { checkout, t } = thisPage()
  const { terms } = checkout.checkout.value
  const comment = terms.description_editable || terms.comment_allowed
  if (!terms.alt_key_editable && !comment) return null
  return (
    <fieldset class="section">
      <legend>
        <h2>{t('checkout.reference_title')}</h2>
      </legend>
      {terms.alt_key_editable && (
        <FormField
          name="alt_key"
          label="checkout.reference"
          optional
          hint="checkout.reference_hint"
          input={{ name: 'reference', autocomplete: 'off', maxLength: 255 }}
        />
      )}
      {comment && (
        <FormField
          name="description"
          label="checkout.comment"
          optional
          input={{ name: 'comment', autocomplete: 'off', maxLength: 1000 }}
        />
      )}
    </fieldset>
  )
}
