import { holdsCardNumber } from '../../shared/rules/card-in-text.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'
import { isGuessable } from './password-strength.ts'

/** What a user may choose to sign in with. */

export const PASSWORD_LENGTH_MIN = 12
export const PASSWORD_LENGTH_MAX = 1000
export const EMAIL_LENGTH_MAX = 320

/** The rule that an e-mail breaks, or null. */
export function emailError(email: string): string | null {
  if (holdsCardNumber(email)) return NO_CARD_NUMBER.error
  // eslint-disable-next-line no-control-regex -- control characters are exactly what is sought
  const looksRight = /^[^\s@\u0000-\u001f]+@[^\s@\u0000-\u001f]+$/.test(email)
  return looksRight && email.length <= EMAIL_LENGTH_MAX ? null : 'must be an e-mail address'
}

/** Which rule a new password breaks, and the rule in words for a person. */
export interface PasswordError {
  kind: 'LENGTH' | 'GUESSABLE'
  rule: string
}

/**
 * Returns the rule that a new password of this user breaks, or null. It is for passwords that are
 * being set: one that is stored already opens its account whatever it looks like.
 */
export async function passwordError(
  password: string,
  email: string,
): Promise<PasswordError | null> {
  if (Array.from(password).length < PASSWORD_LENGTH_MIN) {
    return { kind: 'LENGTH', rule: `must have at least ${PASSWORD_LENGTH_MIN} characters` }
  }
  if (password.length > PASSWORD_LENGTH_MAX) {
    return { kind: 'LENGTH', rule: `must have at most ${PASSWORD_LENGTH_MAX} characters` }
  }
  if (await isGuessable(password, [email, ...email.split(/[^\p{L}\p{N}]+/u), 'checkstand'])) {
    const rule = 'is too easy to guess: it is common, or made of common words, names or patterns'
    return { kind: 'GUESSABLE', rule }
  }
  return null
}

/** Throws an Error in words for a person when an e-mail or a password cannot be taken. */
export async function assertValidCredentials(chosen: {
  email: string
  password: string
}): Promise<void> {
  const problem = emailError(chosen.email)
  if (problem !== null) throw new Error(`The e-mail ${problem}`)
  await assertValidPassword(chosen)
}

/**
 * Throws an Error in words for a person when a password cannot be taken. `named` is what the person
 * knows it as.
 */
export async function assertValidPassword(
  { email, password }: { email: string; password: string },
  named = 'The password',
): Promise<void> {
  const problem = await passwordError(password, email)
  if (problem !== null) throw new Error(`${named} ${problem.rule}`)
}
