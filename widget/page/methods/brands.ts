import creditCardType from 'credit-card-type'

/** What a card's first digits tell about it. */
export interface CardBrand {
  /** As the server names it, so that a saved card and a typed one look alike. */
  id: string
  /** The brand's own name, which no language translates. */
  name: string
  gaps: number[]
  lengths: number[]
  /** Digits of the security code. */
  codeLength: number
}

const OUR_ID: Readonly<Record<string, string>> = {
  'american-express': 'amex',
  'diners-club': 'diners',
}

/** While several brands are possible, nothing is ruled out. */
export const ANY_BRAND: CardBrand = {
  id: '',
  name: '',
  gaps: [4, 8, 12],
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  codeLength: 4,
}

/** The brand of a number (digits only), or `ANY_BRAND` while it is not certain. */
export function cardBrand(digits: string): CardBrand {
  const possible = creditCardType(digits)
  const [only] = possible
  if (digits === '' || only === undefined || possible.length !== 1) return ANY_BRAND
  return {
    id: OUR_ID[only.type] ?? only.type,
    name: only.niceType,
    gaps: only.gaps,
    lengths: only.lengths,
    codeLength: only.code.size,
  }
}

const NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  discover: 'Discover',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
}

/** The name of a brand that the server named; null for one that this page does not know. */
export function brandName(id: string | null): string | null {
  return (id !== null && NAMES[id]) || null
}
