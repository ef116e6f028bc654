import { moneyText } from '../../shared/rules/display.ts'
import { language } from '../words.ts'

/** Formats an amount as the API has it: a decimal string in major units, with the currency's decimals. */
export function formatMoney(amount: string, currency: string): string {
  const digits = amount.split('.')[1]?.length ?? 0
  return moneyText({ amount, currency, currency_digits: digits }, language())
}

export function Money({ amount, currency }: { amount: string | null; currency: string | null }) {
  if (amount === null || currency === null) return <span class="muted">–</span>
  return <span class="number">{formatMoney(amount, currency)}</span>
}
