import { thisPage } from './context.ts'
import { Entry } from './Entry.tsx'
import type { EntryProps } from './Entry.tsx'
import { inputId } from './fields.ts'
import type { FieldName } from './fields.ts'
import { countries, country } from './formats.ts'
import type { StringId } from './wording.ts'

/** Who pays. Everything is optional, so little is asked and the rest can be opened. */
export function PayerDetails() {
  const { checkout, t } = thisPage()
  const { prefill } = checkout.checkout.value.details
  return (
    <fieldset class="section">
      <legend>
        <h2>
          {t('details.title')} <span class="optional">{t('checkout.optional')}</span>
        </h2>
      </legend>
      <div class="pair">
        <Detail name="first_name" label="details.first_name" token="given-name" />
        <Detail name="last_name" label="details.last_name" token="family-name" />
      </div>
      <Detail name="email" label="details.email" token="email" />
      <details class="more" open={prefill.phone !== undefined || prefill.address !== undefined}>
        <summary>{t('details.more')}</summary>
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
      </details>
    </fieldset>
  )
}

/** One detail; `token` is its autofill token, which names it and chooses its keyboard too. */
function Detail(props: { name: FieldName; label: StringId; token: string }) {
  const { name, label, token } = props
  const shared = { name: token, autocomplete: token, maxLength: 255 }
  const input = token === 'email' || token === 'tel' ? { ...shared, type: token } : shared
  return <Entry name={name} label={label} input={input as EntryProps['input'] & object} />
}

function CountryEntry() {
  const { form, language, t } = thisPage()
  const value = form.values.country.value
  // 250 countries are named only when somebody looks: they would be a third of the page.
  const list = form.everyCountry.value
    ? countries(language)
    : value === '' ? [] : [country(value, language)]
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
