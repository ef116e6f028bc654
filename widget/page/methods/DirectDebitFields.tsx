import { FormField } from '../form-field/FormField.tsx'
import { usePage } from '../page-context.ts'
import { editIban } from './iban.ts'

export function DirectDebitFields() {
  const { merchant, t } = usePage()
  return (
    <div class="card-fields">
      <FormField
        name="iban"
        label="methods.iban"
        edit={editIban}
        input={{
          autocomplete: 'off',
          autocapitalize: 'characters',
          autocorrect: 'off',
          spellcheck: false,
          placeholder: t('methods.iban_example'),
        }}
      />
      <FormField
        name="holder"
        label="methods.holder"
        input={{ autocomplete: 'name', autocapitalize: 'words', maxLength: 140 }}
      />
      <p class="note">{t('methods.direct_debit_note', { merchant })}</p>
    </div>
  )
}
