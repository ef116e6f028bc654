import { chunk } from '../chunks.ts'
import { FormField } from '../form-field/FormField.tsx'
import { usePage } from '../page-context.ts'
import { BrandMark } from './BrandMark.tsx'
import { cardBrand } from './brands.ts'
import { editExpiry } from './card-expiry.ts'
import { digitsOf, editCardNumber } from './card-number.ts'
import type { Edit, TextInput } from '../form-field/grouped-text.ts'

// The card inputs have no name, so that a form submitted without the script could not put a card
// number into a URL.
export const NUMERIC = { inputMode: 'numeric', spellcheck: false, autocorrect: 'off' } as const

/** Shown until the first digit. */
const COMMON_BRANDS = ['visa', 'mastercard', 'amex']

/** Number, expiry date and security code of a new card. */
export function CardFields() {
  const { checkout, form, t } = usePage()
  const digits = digitsOf(form.values.number.value)
  const brand = cardBrand(digits)
  return (
    <div class="card-fields">
      <FormField
        name="number"
        label="card.number"
        edit={editCardNumber}
        mark={<Brands known={digits === '' ? [] : [brand.id]} />}
        input={{ ...NUMERIC, autocomplete: 'cc-number', placeholder: t('card.number_example') }}
      />
      {brand.name !== '' && (
        <span class="visually-hidden">{t('card.brand', { brand: brand.name })}</span>
      )}
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
      {checkout.model.test_mode && <TestCardsDisclosure />}
    </div>
  )
}

/** The mark of the brand of a number, or of the common ones before the first digit. */
export function Brands({ known }: { known: readonly string[] }) {
  return (
    <span class="brands">
      {(known.length > 0 ? known : COMMON_BRANDS).map((id) => (
        <BrandMark key={id} brand={id} />
      ))}
    </span>
  )
}

/** Returns an edit that keeps the first `length` digits. */
export function digitsUpTo(length: number) {
  return ({ text, caret }: TextInput): Edit => {
    const digits = digitsOf(text).slice(0, length)
    return { text: digits, caret: Math.min(digitsOf(text.slice(0, caret)).length, length) }
  }
}

function TestCardsDisclosure() {
  const { form, hasString, t } = usePage()
  const TestCards =
    form.testCardsOpen.value && hasString('checkout.test_card_pending') && chunk('pay')?.TestCards
  return (
    <details class="more" onToggle={form.openTestCards}>
      <summary>{t('checkout.test_cards')}</summary>
      {TestCards && <TestCards />}
    </details>
  )
}
