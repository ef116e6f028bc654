/** What Stripe's answers show about the key of a connection. */

/** Calls without which no payment can be taken: a key that may not make one of them is of no use. */
const PAYMENT_CALLS: ReadonlySet<string> = new Set([
  'create payment intent',
  'confirm payment intent',
  'read payment intent',
  'cancel payment intent',
  'capture payment intent',
])

/** Codes of a 403 that is about the key, not about one of its permissions, which has no code. */
const KEY_CODES: ReadonlySet<string> = new Set([
  'account_invalid',
  'api_key_expired',
  'platform_api_key_expired',
])

interface Answer {
  /** HTTP status. */
  status: number
  /** Stripe's code of the error, or an empty text. */
  code: string
}

/** Returns whether an answer refuses the key itself. */
export function refusesKey({ status, code }: Answer): boolean {
  return status === 401 || (status === 403 && KEY_CODES.has(code))
}

/**
 * Returns what reports whether Stripe accepts a key, for each answer that shows it. A missing permission
 * counts as a refusal where it concerns payments, and then only an accepted call of the same name shows
 * that it is there again; any other missing permission shows nothing.
 */
export function createKeySigns(report: (accepted: boolean) => void | Promise<void>) {
  const missing = new Set<string>()
  return async function readSign(name: string, answer: Answer): Promise<void> {
    const isPermission = answer.status === 403 && !refusesKey(answer)
    if (isPermission && !PAYMENT_CALLS.has(name)) return
    if (isPermission) missing.add(name)
    if (isPermission || refusesKey(answer)) return report(false)
    missing.delete(name)
    if (missing.size === 0) await report(true)
  }
}
