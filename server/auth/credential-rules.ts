import { containsCardNumber } from '../../shared/rules/card-in-text.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'
import { isGuessable } from './password-strength.ts'

export const PASSWORD_LENGTH_MIN = 12
export const PASSWORD_LENGTH_MAX = 1000
export const EMAIL_LENGTH_MAX = 320

/** Returns the rule that an email breaks, or null. */
export function emailError(email: string): string | null {
  if (containsCardNumber(email)) return NO_CARD_NUMBER.error
  // eslint-disable-next-line no-control-regex -- the pattern excludes control characters
  const isAddress = /^[^\s@\u0000-\u001f]+@[^\s@\u0000-\u001f]+$/.test(email)
  return isAddress && email.length <= EMAIL_LENGTH_MAX ? null : 'must be an email address'
}

export interface PasswordError {
  kind: 'LENGTH' | 'GUESSABLE'
  /** For a message such as `The password ${rule}`. */
  rule: string
}

/** Returns the rule that a new password breaks, or null. Stored passwords are not checked again. */
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
    const rule = 'is too easy to guess: it is common or consists of common words, names or patterns'
    return { kind: 'GUESSABLE', rule }
  }
  return null
}

/** Throws an Error that states the broken rule. */
export async function assertValidCredentials(credentials: {
  email: string
  password: string
}): Promise<void> {
  const error = emailError(credentials.email)
  if (error !== null) throw new Error(`The email ${error}`)
  await assertValidPassword(credentials)
}

/** Throws an Error that states the broken rule. `subject` begins its message. */
export async function assertValidPassword(
  { email, password }: { email: string; password: string },
  subject = 'The password',
): Promise<void> {
  const error = await passwordError(password, email)
  if (error !== null) throw new Error(`${subject} ${error.rule}`)
}
