/**
 * The form of tax numbers. Only public rules are checked: VAT numbers of the European Union begin with
 * the code of their state (Directive 2006/112/EC, article 215). Whether a number is assigned is not
 * looked up.
 */

export const TAX_ID_TYPES = ['VAT', 'GST', 'EIN', 'ABN', 'OTHER'] as const

export type TaxIdType = (typeof TAX_ID_TYPES)[number]

export interface TaxId {
  type: TaxIdType
  /** ISO 3166-1 alpha-2. */
  country: string
  value: string
}

const EU = /^(AT|BE|BG|CY|CZ|DE|DK|EE|ES|FI|FR|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)$/

/** States whose VAT numbers begin otherwise than with their ISO code. */
const VAT_PREFIXES: Readonly<Record<string, readonly string[]>> = {
  GR: ['EL'],
  // Northern Ireland has a prefix of its own.
  GB: ['GB', 'XI'],
}

/** Returns what is wrong with a tax number and the member that it concerns; undefined for nothing. */
export function taxIdProblem({
  type,
  country,
  value,
}: TaxId): { member: 'country' | 'value'; rule: string } | undefined {
  const compact = value.replaceAll(/[ ./-]/g, '')
  if (!/^[0-9A-Z+*]{2,30}$/.test(compact)) {
    return { member: 'value', rule: 'must be 2 to 30 capital letters and digits' }
  }
  switch (type) {
    case 'VAT':
      return vatProblem(country, compact)
    case 'EIN':
      if (country !== 'US') return { member: 'country', rule: 'must be US for an EIN' }
      return /^\d{9}$/.test(compact) ? undefined : { member: 'value', rule: 'must be nine digits' }
    case 'ABN':
      if (country !== 'AU') return { member: 'country', rule: 'must be AU for an ABN' }
      return /^\d{11}$/.test(compact)
        ? undefined
        : { member: 'value', rule: 'must be eleven digits' }
    default:
      return undefined
  }
}

function vatProblem(country: string, compact: string): ReturnType<typeof taxIdProblem> {
  const isOfUnion = EU.test(country)
  const prefixes = VAT_PREFIXES[country] ?? (isOfUnion ? [country] : [])
  const prefix = prefixes.find((each) => compact.startsWith(each))
  if (prefixes.length > 0 && prefix === undefined) {
    return { member: 'value', rule: `must begin with ${prefixes.join(' or ')}` }
  }
  if (isOfUnion && !/^[0-9A-Z+*]{2,13}$/.test(compact.slice(2))) {
    return { member: 'value', rule: `must have 2 to 13 characters after ${prefix}` }
  }
  return undefined
}
