import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { minorOf, readTyped, digitsOf } from '../../ui/amounts.ts'
import { formatMoney } from '../../ui/Money.tsx'
import { t } from './payments-words.ts'

/** Reads the amount of the field. Returns its error, or the amount up to `max`, both in major units. */
export function readAmount(
  typed: string,
  max: string,
  currency: string,
): { amount: string; error?: undefined } | { amount?: undefined; error: string } {
  const amount = readTyped(typed, currency, digitsOf(max))
  if (amount === undefined || minorOf(amount) === 0) return { error: t('amount_required') }
  if (minorOf(amount) > minorOf(max)) {
    return { error: t('amount_too_high', { amount: formatMoney(max, currency) }) }
  }
  return { amount }
}

/** A field for an amount up to `max`, with buttons for usual amounts. */
export function AmountField({
  typed,
  max,
  currency,
  onInput,
  suggestions,
}: {
  typed: string
  max: string
  currency: string
  onInput: (typed: string) => void
  suggestions: readonly { label: string; amount: string }[]
}) {
  const { error } = readAmount(typed, max, currency)
  return (
    <div class="amount-field">
      <TextField
        label={t('amount')}
        value={typed}
        inputMode="decimal"
        autocomplete="off"
        autofocus
        suffix={currency}
        error={typed === '' ? undefined : error}
        onInput={onInput}
      />
      {suggestions.map(({ label, amount }) => (
        <Button key={label} onClick={() => onInput(amount)}>
          {label}
        </Button>
      ))}
    </div>
  )
}
