/** Two merchants on one server, whose records must never meet, and the platform of the first. */

/** Their secret keys. */
export const SECRET_KEYS = {
  first: 'sk_test_first_4f9c21d07ab83e65c1f2970d8be4a3f6',
  second: 'sk_test_second_4f9c21d07ab83e65c1f2970d8be4a3f6',
} as const

export type MerchantName = keyof typeof SECRET_KEYS

/** Each marks all that it writes. */
export const MARK: Record<MerchantName, string> = {
  first: 'canary-of-first',
  second: 'canary-of-second',
}

/** The user of the first. */
export const ADMIN = { email: 'ada@shop.example', password: 'correct horse battery' }

/** Where the platform's users come back to. */
export const REDIRECT = 'https://platform.example/callback'
