import { chunk } from '../chunks.ts'
import { usePage } from '../page-context.ts'
import type { OfferedMethod } from '../../../shared/page-model.ts'
import { AutofillField } from '../form-field/FormField.tsx'

type PayerDetail = NonNullable<OfferedMethod['needs']>[number]

export function PayerDetails() {
  const { form, hasString, t } = usePage()
  const Address = hasString('details.city') && chunk('address')?.Address
  const open = form.addressOpen.value
  const needs = form.choice.value?.offered?.needs
  const isOptional = (detail: PayerDetail) => needs && !needs.includes(detail)
  return (
    <fieldset class="section">
      <legend>
        <h2>
          {t('details.title')} {!needs && <span class="optional">{t('checkout.optional')}</span>}
        </h2>
      </legend>
      <div class="pair">
        <AutofillField
          name="first_name"
          label="details.first_name"
          token="given-name"
          optional={isOptional('name')}
        />
        <AutofillField
          name="last_name"
          label="details.last_name"
          token="family-name"
          optional={isOptional('name')}
        />
      </div>
      <AutofillField
        name="email"
        label="details.email"
        token="email"
        optional={isOptional('email')}
      />
      <details class="more" open={open} onToggle={form.openAddress}>
        <summary>{t('details.more')}</summary>
        {open && Address && <Address />}
      </details>
    </fieldset>
  )
}
