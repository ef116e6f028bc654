import { Entry } from '../Entry.tsx'
import { thisPage } from '../context.ts'
import { TestCards } from '../TestCards.tsx'
import { BrandMark } from './BrandMark.tsx'
import { cardBrand } from './brands.ts'
import { editExpiry } from './card-expiry.ts'
import { digitsOf, editCardNumber } from './card-number.ts'
import { savedCodeLength } from './saved.ts'
import type { Edit, Typing } from './grouped-text.ts'
import type { SavedMethod } from '../../../shared/page-model.ts'

// None of these inputs has a name: a form that were ever sent without our script could not put a
// card number into an address or a log.
const NUMERIC = { inputMode: 'numeric', spellcheck: false, autocorrect: 'off' } as const

/** Number, expiry and security code of a new card. */
export function CardFields() {
  const { checkout, form, t } = thisPage()
  const brand = cardBrand(digitsOf(form.values.number.value))
  return (
    <div class="card-fields">
      <Entry
        name="number"
        label="card.number"
        edit={editCardNumber}
        mark={<BrandMark brand={brand.id} />}
        input={{ ...NUMERIC, autocomplete: 'cc-number', placeholder: t('card.number_example') }}
      />
      {brand.name !== '' && <span class="quiet">{t('card.brand', { brand: brand.name })}</span>}
      <div class="pair">
        <Entry
          name="expiry"
          label="card.expiry"
          edit={editExpiry}
          input={{ ...NUMERIC, autocomplete: 'cc-exp', placeholder: t('card.expiry_example') }}
        />
        <Entry
          name="csc"
          label="card.code"
          hint={brand.codeLength === 4 && brand.id !== '' ? 'card.code_front' : 'card.code_back'}
          edit={digitsUpTo(brand.codeLength)}
          input={{ ...NUMERIC, autocomplete: 'cc-csc', maxLength: 8 }}
        />
      </div>
      {checkout.model.test_mode && <TestCards />}
    </div>
  )
}

/** The security code that a saved card needs again. */
export function SavedCardCode(props: { saved: SavedMethod }) {
  const length = savedCodeLength(props.saved)
  return (
    <div class="pair">
      <Entry
        name="saved_csc"
        label="card.code"
        hint={length === 4 ? 'card.code_front' : 'card.code_back'}
        edit={digitsUpTo(length)}
        input={{ ...NUMERIC, autocomplete: 'cc-csc', maxLength: 8 }}
      />
    </div>
  )
}

function digitsUpTo(length: number) {
  return ({ text, caret }: Typing): Edit => {
    const digits = digitsOf(text).slice(0, length)
    return { text: digits, caret: Math.min(digitsOf(text.slice(0, caret)).length, length) }
  }
}
