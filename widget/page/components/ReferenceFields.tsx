import { usePage } from '../page-context.ts'
import { FormField } from '../form-field/FormField.tsx'

/** The reference and the comment, where the link leaves them to the payer. */
export function ReferenceFields() {
  const { checkout, t } = usePage()
  const { alt_key_editable, description_editable, comment_allowed } = checkout.checkout.value.terms
  const comment = description_editable || comment_allowed
  if (!alt_key_editable && !comment) return null
  return (
    <fieldset class="section">
      <legend>
        <h2>{t('checkout.reference_title')}</h2>
      </legend>
      {alt_key_editable && (
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
