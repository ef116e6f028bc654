import { REDIRECT_PARAMETERS } from '../../shared/rules/after-payment.ts'

// A URL may carry JSON, so encoded braces count only around a name, as encoders leave a placeholder.
const TEMPLATE = /[{}]|%7b\w+%7d/i

/**
 * Returns the rule that a redirect target breaks by holding a placeholder such as
 * `{CHECKOUT_SESSION_ID}`, or null. Nothing is filled in, so a shop would get the braces.
 */
export function urlTemplateError(target: string): string | null {
  if (!TEMPLATE.test(target)) return null
  const appended = REDIRECT_PARAMETERS.join(', ')
  return `must not contain a placeholder in braces: nothing is filled in, and ${appended} are appended as query parameters`
}
