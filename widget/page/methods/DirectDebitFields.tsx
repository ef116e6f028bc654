import { FormField } from '../components/FormField.tsx'
import { thisPage } from '../page-context.ts'
import { editIban } from './iban.ts'

/** Account and holder of a direct debit. */
export function DirectDebitFields() {
  const { merchant, t } = thisPage()
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
