/** The properties of a card brand. */
export interface CardBrand {
  /** The server's name of the brand; '' if unknown. */
  id: string
  /** For display; never translated. */
  name: string
  /** The positions of the spaces. */
  gaps: readonly number[]
  lengths: readonly number[]
  /** Digits of the security code. */
  codeLength: number
}

const FOURS = [4, 8, 12]
const UP_TO_19 = [12, 13, 14, 15, 16, 17, 18, 19]

/** The properties while the brand is unknown. */
export const ANY_BRAND = brand('', '', UP_TO_19, FOURS, 4)

/**
 * A test keeps the table equal to `credit-card-type`, which itself would be an eighth of the page.
 */
const BRANDS: readonly (readonly [RegExp, CardBrand])[] = [
  // An old Maestro range within Visa's.
  [/^493698/, brand('maestro', 'Maestro', UP_TO_19)],
  [/^4/, brand('visa', 'Visa', [16, 18, 19])],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, brand('mastercard', 'Mastercard', [16])],
  [/^3[47]/, brand('amex', 'American Express', [15], [4, 10], 4)],
  [/^3(0[0-5]|[689])/, brand('diners', 'Diners Club', [14, 16, 19], [4, 10])],
  [/^(6011|64[4-9]|65)/, brand('discover', 'Discover', [16, 19])],
  [/^(2131|1800|35(2[89]|[3-8]))/, brand('jcb', 'JCB', [16, 17, 18, 19])],
  [/^(62|81[0-7])/, brand('unionpay', 'UnionPay', [14, 15, 16, 17, 18, 19])],
  [/^(50|5[6-9]|63|67)/, brand('maestro', 'Maestro', UP_TO_19)],
]

function brand(
  id: string,
  name: string,
  lengths: readonly number[],
  gaps: readonly number[] = FOURS,
  codeLength = 3,
): CardBrand {
  return { id, name, gaps, lengths, codeLength }
}

/** Returns the brand of a number (digits only), or `ANY_BRAND`. */
export function cardBrand(digits: string): CardBrand {
  return BRANDS.find(([first]) => first.test(digits))?.[1] ?? ANY_BRAND
}

/** Returns the display name of a server's brand, or null if it is unknown. */
export function brandName(id: string | null): string | null {
  return BRANDS.find(([, known]) => known.id === id)?.[1].name ?? null
}
