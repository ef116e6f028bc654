import { PASSWORD_LENGTH_MIN, passwordError } from '../auth/credential-rules.ts'
import type { Translator } from './translator.ts'

/** Returns the rule that a new password breaks, for the page; undefined for a good one. */
export async function newPasswordError(
  { t }: Pick<Translator, 't'>,
  password: string,
  email: string,
): Promise<string | undefined> {
  const error = await passwordError(password, email)
  if (error === null) return undefined
  return error.kind === 'GUESSABLE'
    ? t('sign_in.password_guessable')
    : t('sign_in.password_rule', { minimum: PASSWORD_LENGTH_MIN })
}
