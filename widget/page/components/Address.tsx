import { useSignal } from '@preact/signals'
import { countries, country } from '../countries.ts'
import { type FieldName, inputId } from '../fields.ts'
import { usePage } from '../page-context.ts'
import { regionsOf } from '../regions.ts'
import type { StringId } from '../translator.ts'
import { AutofillField } from '../form-field/FormField.tsx'

/** Phone and address. */
export function Address() {
  const { checkout } = usePage()
  const { prefill } = checkout.checkout.value.details
  return (
    <div class="stack">
      <AutofillField name="phone" label="details.phone" token="tel" />
      <AutofillField name="line1" label="details.line1" token="address-line1" />
      <AutofillField name="line2" label="details.line2" token="address-line2" />
      {prefill.address?.line3 && (
        <AutofillField name="line3" label="details.line3" token="address-line3" />
      )}
      <div class="pair">
        <AutofillField name="line5" label="details.post_code" token="postal-code" />
        <AutofillField name="line4" label="details.city" token="address-level2" />
      </div>
      <CountrySelect />
      <RegionSelect />
    </div>
  )
}

function CountrySelect() {
  const { form, language } = usePage()
  const value = form.values.country.value
  // 250 options would be a third of the document, so they are rendered once the list is opened.
  const opened = useSignal(false)
  const options = opened.value
    ? countries(language)
    : value === ''
      ? []
      : [country(value, language)]
  return (
    <Select
      name="country"
      label="details.country"
      none="details.country_none"
      token="country"
      options={options}
      onOpen={() => (opened.value = true)}
    />
  )
}

/** State or province, for countries whose addresses have one. */
function RegionSelect() {
  const { form } = usePage()
  const options = regionsOf(form.values.country.value)
  if (options.length === 0) return null
  return (
    <Select
      name="line6"
      label="details.region"
      none="details.region_none"
      token="address-level1"
      options={options}
    />
  )
}

interface SelectProps {
  name: FieldName
  label: StringId
  /** The label of the empty option. */
  none: StringId
  /** The autofill token. */
  token: 'country' | 'address-level1'
  options: readonly { code: string; name: string }[]
  onOpen?: () => void
}

function Select({ name, label, none, token, options, onOpen }: SelectProps) {
  const { form, t } = usePage()
  const value = form.values[name].value
  const id = inputId(name)
  return (
    <div class="field">
      <label for={id}>{t(label)}</label>
      <div class="entry select">
        <select
          id={id}
          name={token}
          autocomplete={token}
          value={value}
          onFocus={onOpen}
          onPointerDown={onOpen}
          onChange={(event) => form.enter(name, event.currentTarget.value)}
        >
          <option value="">{t(none)}</option>
          {options.map((option) => (
            <option key={option.code} value={option.code} selected={option.code === value}>
              {option.name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
