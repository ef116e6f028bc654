import type { SavedMethod } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import { FormField } from '../form-field/FormField.tsx'
import type { FieldErrors } from '../fields.ts'
import { usePage } from '../page-context.ts'
import { brandName } from './brands.ts'
import { digitsUpTo, NUMERIC } from './CardFields.tsx'
import { digitsOf } from './card-number.ts'

/** Brand, last digits and expiry of a saved method. */
export function SavedMethodLabel({ saved }: { saved: SavedMethod }) {
  const { t } = usePage()
  const { type, brand, last4, exp_month, exp_year } = saved
  const name = brandName(brand) ?? t(type === 'CARD' ? 'methods.card' : 'methods.account')
  const twoDigits = (number: number) => String(number % 100).padStart(2, '0')
  return (
    <>
      {last4 === null ? name : t('methods.ending', { name, digits: last4 })}
      {exp_month !== null && exp_year !== null && (
        <small>
          {t('methods.valid_until', { until: `${twoDigits(exp_month)}/${twoDigits(exp_year)}` })}
        </small>
      )}
    </>
  )
}

/** The security code of a saved card, which must be entered for each payment. */
export function SavedMethodFields({ saved }: { saved: SavedMethod }) {
  const FramedCode = chunk('framed-card')?.FramedCode
  if (saved.type !== 'CARD' || saved.csc === 'NONE') return null
  if (saved.csc === 'TOKEN') return FramedCode ? <FramedCode saved={saved} /> : null
  const length = codeLength(saved)
  return (
    <div class="pair">
      <FormField
        name="saved_csc"
        label="card.code"
        hint={length === 4 ? 'card.code_front' : 'card.code_back'}
        edit={digitsUpTo(length)}
        input={{ ...NUMERIC, autocomplete: 'cc-csc', maxLength: 8 }}
      />
    </div>
  )
}

export function checkSecurityCode(saved: SavedMethod, code: string): FieldErrors {
  if (saved.type !== 'CARD' || saved.csc === 'NONE') return {}
  if (saved.csc === 'TOKEN') return chunk('framed-card')?.checkFields() ?? {}
  const entered = digitsOf(code).length
  if (entered === 0) return { saved_csc: { id: 'card.code_missing' } }
  const length = codeLength(saved)
  if (entered === length) return {}
  return { saved_csc: { id: length === 4 ? 'card.code_four_digits' : 'card.code_three_digits' } }
}

function codeLength({ brand }: SavedMethod): number {
  return brand === 'amex' ? 4 : 3
}
