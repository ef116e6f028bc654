import { thisPage } from '../page-context.ts'
import { Detail } from './Detail.tsx'
import { chunk } from '../chunks.ts'

/** Who pays. Everything is optional, so little is asked and the rest can be opened. */
export function PayerDetails() {
  const { checkout, form, t } = thisPage()
  // Its words may come with the session.
  const worded = 'details.city' in checkout.checkout.value.strings
  const Address = worded && chunk('address')?.Address
  const open = form.addressOpen.value
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
      <details class="more" open={open} onToggle={() => void (form.addressOpen.value = true)}>
        <summary>{t('details.more')}</summary>
        {open && Address && <Address />}
      </details>
    </fieldset>
  )
}
