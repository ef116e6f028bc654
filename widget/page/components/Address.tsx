import { thisPage } from '../page-context.ts'
import { Detail } from './Detail.tsx'
import { type FieldName, inputId } from '../fields.ts'
import { countries, country } from '../countries.ts'
import { regionsOf } from '../regions.ts'
import type { StringId } from '../translator.ts'

/** Phone and address, for those who open them or whose merchant knows them. */
export function Address() {
  const { checkout } = thisPage()
  const { prefill } = checkout.checkout.value.details
  return (
    <div class="stack">
      <Detail name="phone" label="details.phone" token="tel" />
      <Detail name="line1" label="details.line1" token="address-line1" />
      <Detail name="line2" label="details.line2" token="address-line2" />
      {prefill.address?.line3 && (
        <Detail name="line3" label="details.line3" token="address-line3" />
      )}
      <div class="pair">
        <Detail name="line5" label="details.post_code" token="postal-code" />
        <Detail name="line4" label="details.city" token="address-level2" />
      </div>
      <CountryEntry />
      <RegionEntry />
    </div>
  )
}

function CountryEntry() {
  const { form, language } = thisPage()
  const value = form.values.country.value
  // 250 countries are named only when somebody looks: they would be a third of the page.
  const list = form.everyCountry.value
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
      list={list}
      onLook={() => void (form.everyCountry.value = true)}
    />
  )
}

/** State or province, in a country that writes one in its addresses. */
function RegionEntry() {
  const { form } = thisPage()
  const list = regionsOf(form.values.country.value)
  if (list.length === 0) return null
  return (
    <Select
      name="line6"
      label="details.region"
      none="details.region_none"
      token="address-level1"
      list={list}
    />
  )
}

interface SelectProps {
  name: FieldName
  label: StringId
  /** Stands where nothing is chosen. */
  none: StringId
  /** The autofill token. */
  token: 'country' | 'address-level1'
  list: readonly { code: string; name: string }[]
  onLook?: () => void
}

function Select({ name, label, none, token, list, onLook }: SelectProps) {
  const { form, t } = thisPage()
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
          onFocus={onLook}
          onPointerDown={onLook}
          onChange={(event) => form.type(name, event.currentTarget.value)}
        >
          <option value="">{t(none)}</option>
          {list.map((item) => (
            <option key={item.code} value={item.code} selected={item.code === value}>
              {item.name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
