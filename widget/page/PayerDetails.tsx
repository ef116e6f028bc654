import { useState } from 'preact/hooks'
import { usePage } from './context.ts'
import { Entry, inputId } from './Entry.tsx'
import { countries, country } from './formats.ts'

/** Who pays. Everything is optional, so little is asked and the rest can be opened. */
export function PayerDetails() {
  const { checkout, t } = usePage()
  const { prefill } = checkout.checkout.value.details
  const known = prefill.phone !== undefined || prefill.address !== undefined
  return (
    <fieldset class="section">
      <legend>
        <h2>
          {t('details.title')} <span class="optional">{t('checkout.optional')}</span>
        </h2>
      </legend>
      <div class="pair">
        <Entry
          name="first_name"
          label="details.first_name"
          input={{ name: 'given-name', autocomplete: 'given-name', maxLength: 255 }}
        />
        <Entry
          name="last_name"
          label="details.last_name"
          input={{ name: 'family-name', autocomplete: 'family-name', maxLength: 255 }}
        />
      </div>
      <Entry
        name="email"
        label="details.email"
        input={{
          type: 'email',
          name: 'email',
          inputMode: 'email',
          autocomplete: 'email',
          autocapitalize: 'none',
          spellcheck: false,
          maxLength: 255,
        }}
      />
      <details class="more" open={known}>
        <summary>{t('details.more')}</summary>
        <MoreDetails />
      </details>
    </fieldset>
  )
}

function MoreDetails() {
  return (
    <div class="stack">
      <Entry
        name="phone"
        label="details.phone"
        input={{
          type: 'tel',
          name: 'tel',
          inputMode: 'tel',
          autocomplete: 'tel',
          maxLength: 64,
        }}
      />
      <Entry
        name="line1"
        label="details.line1"
        input={{ name: 'address-line1', autocomplete: 'address-line1', maxLength: 255 }}
      />
      <Entry
        name="line2"
        label="details.line2"
        input={{ name: 'address-line2', autocomplete: 'address-line2', maxLength: 255 }}
      />
      <ThirdLine />
      <div class="pair">
        <Entry
          name="line5"
          label="details.post_code"
          input={{ name: 'postal-code', autocomplete: 'postal-code', maxLength: 32 }}
        />
        <Entry
          name="line4"
          label="details.city"
          input={{ name: 'address-level2', autocomplete: 'address-level2', maxLength: 255 }}
        />
      </div>
      <CountryEntry />
    </div>
  )
}

/** Few addresses have a third line; it is shown where the merchant's one does. */
function ThirdLine() {
  const { checkout } = usePage()
  if (!checkout.checkout.value.details.prefill.address?.line3) return null
  return (
    <Entry
      name="line3"
      label="details.line3"
      input={{ name: 'address-line3', autocomplete: 'address-line3', maxLength: 255 }}
    />
  )
}

function CountryEntry() {
  const { form, language, t } = usePage()
  const [all, setAll] = useState(false)
  const value = form.values.country.value
  // 250 countries are named only when somebody looks: they would be a third of the page.
  const list = all ? countries(language) : value === '' ? [] : [country(value, language)]
  const id = inputId('country')
  return (
    <div class="field">
      <label for={id}>{t('details.country')}</label>
      <div class="entry select">
        <select
          id={id}
          name="country"
          autocomplete="country"
          value={value}
          onFocus={() => setAll(true)}
          onPointerDown={() => setAll(true)}
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
