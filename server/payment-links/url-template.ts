import { REDIRECT_PARAMETERS } from '../../shared/rules/after-payment.ts'

// Encoded braces count only around a name, because a URL may carry JSON.
const TEMPLATE = /[{}]|%7b\w+%7d/i

/**
 * Returns an error for a redirect target with a placeholder such as `{CHECKOUT_SESSION_ID}`, or null.
 * Checkstand fills in no placeholders.
 */
export function urlTemplateError(target: string): string | null {
  if (!TEMPLATE.test(target)) return null
  const appended = REDIRECT_PARAMETERS.join(', ')
  return `must not contain a placeholder in braces: nothing is filled in, and ${appended} are appended as query parameters`
}
