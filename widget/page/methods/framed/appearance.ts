import type { StripeElementLocale, StripeElementStyle } from '@stripe/stripe-js'
import { intlLanguage } from '../../../../shared/rules/wording.ts'

const LOCALES =
  ' ar bg cs da de el en es et fi fr he hr hu id it ja ko lt lv ms mt nb nl no pl pt ro ru sk sl sv th tr vi zh '

/** Returns the language of Stripe's frames; English for one that Stripe does not have. */
export function stripeLocale(language: string): StripeElementLocale {
  const code = intlLanguage(language).slice(0, 2)
  return LOCALES.includes(` ${code} `) ? (code as StripeElementLocale) : 'en'
}

/** Returns the style of an input in a frame, as the page's own inputs look now. */
export function styleOf(box: HTMLElement): StripeElementStyle {
  const { color, fontFamily, textAlign } = getComputedStyle(box)
  const root = getComputedStyle(document.documentElement)
  const token = (name: string) => root.getPropertyValue(name).trim()
  return {
    base: {
      color,
      fontFamily,
      // iOS enlarges the page at a smaller size.
      fontSize: '16px',
      lineHeight: '24px',
      textAlign,
      '::placeholder': { color: token('--muted') },
    },
    invalid: { color: token('--problem') },
  }
}
