import { currencyDigits } from '../shared/rules/currency.ts'
import { AMOUNT_LENGTH_MAX, type AmountErrorCode, parseAmount } from '../shared/rules/money.ts'
import { invalid } from './errors.ts'

/** Returns the minor units of a decimal text. Throws a 400 ApiError that names `member`. */
export function parseMinorUnits(member: string, text: string, currency: string): number {
  const parsed = parseAmount(text, currencyDigits(currency) ?? 2)
  if (parsed.ok) return parsed.minor
  throw invalid(member, amountRule(parsed.problem, currency))
}

function amountRule(problem: AmountErrorCode, currency: string): string {
  switch (problem) {
    case 'FORMAT':
      return 'must be a decimal amount'
    case 'TOO_LONG':
      return `must be at most ${AMOUNT_LENGTH_MAX} characters`
    case 'DECIMALS':
      return `has too many decimal places for ${currency}`
    case 'TOO_LARGE':
      return `is too large for ${currency}`
  }
}
