/**
 * Where the payer goes after paying, and what the receipt says (contract section 9).
 *
 * The page draws by this table and the server redirects by it.
 */

export interface AfterPaymentOptions {
  skip_receipt?: boolean | null
  success_url?: string | null
  pending_url?: string | null
  page_success_message?: string | null
  page_pending_message?: string | null
}

export interface NextStep {
  /** Leave at once, or stay and show the receipt. */
  step: 'REDIRECT' | 'RECEIPT'
  /** The merchant's page for this outcome: the target of the redirect or of the receipt's button. */
  url: string | null
  /** The merchant's own sentence, or null for the built-in wording. */
  message: string | null
}

/**
 * What follows a payment that succeeded or is pending. A pending payment never falls back to
 * `success_url`: that page tells a shop that it was paid (complaint U-1).
 */
export function nextStep(options: AfterPaymentOptions, outcome: 'COMPLETED' | 'PENDING'): NextStep {
  const completed = outcome === 'COMPLETED'
  const url = (completed ? options.success_url : options.pending_url) ?? null
  const text = (completed ? options.page_success_message : options.page_pending_message) ?? null
  const skip = options.skip_receipt === true
  return {
    step: skip && url !== null ? 'REDIRECT' : 'RECEIPT',
    url,
    // The message is for a receipt that is wanted (not skipped) and leads nowhere else.
    message: !skip && url === null ? text : null,
  }
}

/** The objects that a payment brought into being, as ids, in the specification's order. */
export interface RedirectFacts {
  payment_link: string
  status: 'COMPLETED' | 'PENDING'
  contract?: string | null
  charge?: string | null
  transaction?: string | null
  payment_method?: string | null
  account?: string | null
}

/** The query parameters that are appended to the merchant's URL, those of objects only where there is one. */
export const REDIRECT_PARAMETERS = [
  'payment_link',
  'status',
  'contract',
  'charge',
  'transaction',
  'payment_method',
  'account',
] as const

/**
 * Appends our parameters to the merchant's URL without touching a byte of the rest.
 *
 * Parsing and re-serialising would rewrite `?q=a%20b&flag` to `?q=a+b&flag=`, and a shop that
 * signs its URLs would refuse its own. Pairs that already carry one of our names are dropped, so
 * that a link cannot ship with a forged `status=COMPLETED`.
 */
export function redirectUrl(target: string, facts: RedirectFacts): string {
  const hash = target.indexOf('#')
  const fragment = hash < 0 ? '' : target.slice(hash)
  const beforeHash = hash < 0 ? target : target.slice(0, hash)
  const question = beforeHash.indexOf('?')
  const path = question < 0 ? beforeHash : beforeHash.slice(0, question)
  const query = question < 0 ? '' : beforeHash.slice(question + 1)
  const kept = query === '' ? [] : query.split('&').filter((pair) => !isOurs(pair))
  const added = REDIRECT_PARAMETERS.flatMap((name) => {
    const value = facts[name]
    return value == null ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return `${path}?${[...kept, ...added].join('&')}${fragment}`
}

function isOurs(pair: string): boolean {
  const name = pair.split('=', 1)[0] ?? ''
  const decoded = safeDecode(name.replaceAll('+', ' '))
  return (REDIRECT_PARAMETERS as readonly string[]).includes(decoded)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
