import type { SavedMethod } from '../../../shared/page-model.ts'
import { FormField } from '../components/FormField.tsx'
import { thisPage } from '../page-context.ts'
import { brandName } from './brands.ts'
import { NUMERIC, digitsUpTo } from './CardFields.tsx'
import { savedCodeLength } from './saved.ts'

/** What a saved method is called: brand, last digits, and until when it is good. */
export function SavedLabel({ saved }: { saved: SavedMethod }) {
  const { t } = thisPage()
  const { type, brand, last4, exp_month, exp_year } = saved
  const name = brandName(brand) ?? t(type === 'CARD' ? 'methods.card' : 'methods.account')
  const two = (number: number) => String(number % 100).padStart(2, '0')
  return (
    <>
      {last4 === null ? name : t('methods.ending', { name, digits: last4 })}
      {exp_month !== null && exp_year !== null && (
        <small>{t('methods.valid_until', { until: `${two(exp_month)}/${two(exp_year)}` })}</small>
      )}
    </>
  )
}

/** The security code that a saved card needs again. */
export function SavedFields({ saved }: { saved: SavedMethod }) {
  const length = savedCodeLength(saved)
  if (saved.type !== 'CARD') return null
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
