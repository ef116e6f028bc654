import { type Money, moneyText } from '../../shared/rules/display.ts'
import type { Checkout } from './checkout.ts'
import type { Form } from './form.ts'
import { momentText } from './formats.ts'
import { wordsOr } from './server-text.ts'
import { translator, type Words } from './translator.ts'

export interface PageContext {
  checkout: Checkout
  form: Form
  /** The payer pressed Pay. */
  submit: () => void
}

let drawn: ReturnType<typeof contextOf> | null = null

/**
 * Makes this the page that components draw. Drawing never waits, so there is one at a time, on a
 * server with many payers too.
 */
export function enter(page: PageContext): void {
  drawn = contextOf(page)
}

/** The state and the wording, for every component of the page. */
export function thisPage() {
  if (drawn === null) throw new Error('a part of the page stands outside of it')
  return drawn
}

function contextOf(page: PageContext) {
  const { checkout } = page
  const { merchant, strings, language, timezone, terms } = checkout.checkout.value
  const t = translator(strings, language)
  // The server cannot know the payer's zone: both begin with UTC, and the page moves on alone.
  const zone = timezone ?? (checkout.ready.value ? undefined : 'UTC')
  return {
    ...page,
    t,
    language,
    merchant,
    say: (words: Words) => t(words.id, words.values),
    money: (money: Money) => moneyText(money, language),
    /** An amount in the currency of the link. */
    price: (amount: string) =>
      wordsOr(amount + terms.currency + language, () => moneyText({ ...terms, amount }, language)),
    moment: (iso: string) => momentText(iso, language, zone),
  }
}
