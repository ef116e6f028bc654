/** Returns the digits after the decimal point that Intl knows of a currency; two for an unknown code. */
export function currencyDigits(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}
