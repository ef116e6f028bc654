/**
 * Where the payer goes after a payment and what the receipt shows. The page and the server's
 * redirect both use this table.
 */

export interface AfterPaymentOptions {
  skip_receipt?: boolean | null
  success_url?: string | null
  pending_url?: string | null
  page_success_message?: string | null
  page_pending_message?: string | null
}

export interface NextStep {
  /** Redirect at once, or show the receipt. */
  step: 'REDIRECT' | 'RECEIPT'
  /** The merchant's page for this outcome: target of the redirect or of the receipt's button. */
  url: string | null
  /** The merchant's text, or null for the built-in one. */
  message: string | null
}

/**
 * Returns what follows a successful or pending payment. A pending payment never falls back to
 * `success_url`, because a shop treats a visit of that page as a successful payment.
 */
export function nextStep(options: AfterPaymentOptions, outcome: 'COMPLETED' | 'PENDING'): NextStep {
  const completed = outcome === 'COMPLETED'
  const url = (completed ? options.success_url : options.pending_url) ?? null
  const text = (completed ? options.page_success_message : options.page_pending_message) ?? null
  const skip = options.skip_receipt === true
  return {
    step: skip && url !== null ? 'REDIRECT' : 'RECEIPT',
    url,
    // The message is for a receipt that is shown and has no button.
    message: !skip && url === null ? text : null,
  }
}

/** Ids of the records that a payment or task created, in the order of the parameters. */
export interface RedirectParameters {
  payment_link?: string | null
  status: 'COMPLETED' | 'PENDING' | null
  deep_link?: string | null
  contract?: string | null
  charge?: string | null
  transaction?: string | null
  payment_method?: string | null
  account?: string | null
}

/**
 * The query parameters that are appended to the merchant's URL; those of records only if there is
 * one.
 */
export const REDIRECT_PARAMETERS = [
  'payment_link',
  'status',
  'deep_link',
  'contract',
  'charge',
  'transaction',
  'payment_method',
  'account',
] as const

/**
 * Appends our parameters to the merchant's URL without changing the rest. Parsing and serializing
 * would rewrite `?q=a%20b&flag` to `?q=a+b&flag=` and break the signature of a shop that signs its
 * URLs. Existing parameters with our names are removed, so that a link cannot contain a forged
 * `status=COMPLETED`.
 */
export function redirectUrl(target: string, facts: RedirectParameters): string {
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
