import type { StripeFake } from './start.ts'

/** With which a server of `stripeEnvironment` encrypts; one key of 32 bytes. */
export const ENCRYPTION_KEYS = [Buffer.alloc(32, 7)] as const

/** Settings of a server whose Stripe is the fake. Pages load Stripe.js from `scriptUrl`. */
export function stripeEnvironment(
  fake: Pick<StripeFake, 'url'>,
  scriptUrl = `${fake.url}/stripe.js`,
): Record<string, string> {
  return {
    STRIPE_API_URL: fake.url,
    STRIPE_JS_URL: scriptUrl,
    CHECKSTAND_ENCRYPTION_KEY: ENCRYPTION_KEYS[0].toString('base64'),
  }
}
