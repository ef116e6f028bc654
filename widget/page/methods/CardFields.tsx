import { FormField } from '../components/FormField.tsx'
import { thisPage } from '../page-context.ts'
import { chunk } from '../chunks.ts'
import { BrandMark } from './BrandMark.tsx'
import { cardBrand } from './brands.ts'
import { editExpiry } from './card-expiry.ts'
import { digitsOf, editCardNumber } from './card-number.ts'
import type { Edit, Typing } from './grouped-text.ts'

// None of these inputs has a name: a form that were ever sent without our script could not put a
// card number into an address or a log.
export const NUMERIC = { inputMode: 'numeric', spellcheck: false, autocorrect: 'off' } as const

/** Whose cards most people hold: shown until the first digit tells. */
const WELCOME = ['visa', 'mastercard', 'amex']

/** Number, expiry and security code of a new card. */
export function CardFields() {
  const { checkout, form, t } = thisPage()
  const digits = digitsOf(form.values.number.value)
  const brand = cardBrand(digits)
  const marks = digits === '' ? WELCOME : [brand.id]
  return (
    <div class="card-fields">
      <FormField
        name="number"
        label="card.number"
        edit={editCardNumber}
        mark={
          <span class="brands">
            {marks.map((id) => (
              <BrandMark key={id} brand={id} />
            ))}
          </span>
        }
        input={{ ...NUMERIC, autocomplete: 'cc-number', placeholder: t('card.number_example') }}
      />
      {brand.name !== '' && <span class="quiet">{t('card.brand', { brand: brand.name })}</span>}
      <div class="pair">
        <FormField
          name="expiry"
          label="card.expiry"
          edit={editExpiry}
          input={{ ...NUMERIC, autocomplete: 'cc-exp', placeholder: t('card.expiry_example') }}
        />
        <FormField
          name="csc"
          label="card.code"
          hint={brand.codeLength === 4 && brand.id !== '' ? 'card.code_front' : 'card.code_back'}
          edit={digitsUpTo(brand.codeLength)}
          input={{ ...NUMERIC, autocomplete: 'cc-csc', maxLength: 8 }}
        />
      </div>
      {checkout.model.test_mode && <Trials />}
    </div>
  )
}

/** Takes as many digits as the code of a card has. */
export function digitsUpTo(length: number) {
  return ({ text, caret }: Typing): Edit => {
    const digits = digitsOf(text).slice(0, length)
    return { text: digits, caret: Math.min(digitsOf(text.slice(0, caret)).length, length) }
  }
}

/** Cards to try a test instance with; they come when somebody looks. */
function Trials() {
  const { checkout, form, t } = thisPage()
  // Their words come with the session.
  const worded = 'checkout.test_card_pending' in checkout.checkout.value.strings
  const Cards = worded && form.trialsOpen.value && chunk('test-cards')?.TestCards
  return (
    <details class="more" onToggle={() => void (form.trialsOpen.value = true)}>
      <summary>{t('checkout.test_cards')}</summary>
      {Cards && <Cards />}
    </details>
  )
}
