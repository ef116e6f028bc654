/** How payers read a tax number. */

export type TaxIdTextId = 'checkout.legal_vat' | 'checkout.legal_tax'

/** Returns a tax number with its name: `VAT number: FR…`, `EIN 12-…`. `t` translates. */
export function taxIdText(
  t: (id: TaxIdTextId, values: { number: string }) => string,
  { type, value: number }: { type: string; value: string },
): string {
  if (type === 'VAT') return t('checkout.legal_vat', { number })
  return type === 'OTHER' ? t('checkout.legal_tax', { number }) : `${type} ${number}`
}
