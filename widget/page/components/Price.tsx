/** More letters than this would break on a phone, and are set smaller. */
const LONG = 12

/** The amount as the largest thing on a page that has nothing else to say. */
export function Price({ text }: { text: string }) {
  return <p class={priceClass(text)}>{text}</p>
}

/** How an amount is set, by its letters. */
export function priceClass(text: string): string {
  return text.length > LONG ? 'amount long' : 'amount'
}
