import { thisPage } from './context.ts'
import { Detail } from './Detail.tsx'
import { inputId } from './fields.ts'
import { countries, country } from './countries.ts'

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
    </div>
  )
}

function CountryEntry() {
  const { form, language, t } = thisPage()
  const value = form.values.country.value
  // 250 countries are named only when somebody looks: they would be a third of the page.
  const list = form.everyCountry.value
    ? countries(language)
    : value === ''
      ? []
      : [country(value, language)]
  const id = inputId('country')
  const listAll = () => void (form.everyCountry.value = true)
  return (
    <div class="field">
      <label for={id}>{t('details.country')}</label>
      <div class="entry select">
        <select
          id={id}
          name="country"
          autocomplete="country"
          value={value}
          onFocus={listAll}
          onPointerDown={listAll}
          onChange={(event) => form.type('country', event.currentTarget.value)}
        >
          <option value="">{t('details.country_none')}</option>
          {list.map(({ code, name }) => (
            <option key={code} value={code} selected={code === value}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
