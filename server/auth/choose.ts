import { holdsCardNumber } from '../../shared/rules/card-in-text.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'

/** What a user may choose to sign in with. */

export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 1000
export const EMAIL_LENGTH_MAX = 320

/** The rule that an e-mail breaks, or null. */
export function emailProblem(email: string): string | null {
  if (holdsCardNumber(email)) return NO_CARD_NUMBER.error
  // eslint-disable-next-line no-control-regex -- control characters are exactly what is sought
  const looksRight = /^[^\s@\u0000-\u001f]+@[^\s@\u0000-\u001f]+$/.test(email)
  return looksRight && email.length <= EMAIL_LENGTH_MAX ? null : 'must be an e-mail address'
}

/** The rule that a password breaks, or null. Length is what makes one hard to guess. */
export function passwordProblem(password: string): string | null {
  if (Array.from(password).length < PASSWORD_LENGTH_MIN) {
    return `must have at least ${PASSWORD_LENGTH_MIN} characters`
  }
  return password.length <= PASSWORD_LENGTH_MAX
    ? null
    : `must have at most ${PASSWORD_LENGTH_MAX} characters`
}

/** Throws an Error in words for a person when an e-mail or a password cannot be taken. */
export function checkChosen({ email, password }: { email: string; password: string }): void {
  const problem = emailProblem(email)
  if (problem !== null) throw new Error(`The e-mail ${problem}`)
  checkPassword(password)
}

/** Throws an Error in words for a person when a password cannot be taken. */
export function checkPassword(password: string): void {
  const problem = passwordProblem(password)
  if (problem !== null) throw new Error(`The password ${problem}`)
}
