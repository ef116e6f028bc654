/** Longer amounts would break on a phone at full size. */
const LENGTH_MAX = 12

export function priceClass(text: string): string {
  return text.length > LENGTH_MAX ? 'amount long' : 'amount'
}
