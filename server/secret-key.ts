/** Visible ASCII without a colon, which ends the user name in Basic credentials. */
const SECRET_KEY = /^sk_(test|live)_(?<random>[\x21-\x39\x3b-\x7e]{32,})$/
/** 32 random hexadecimal digits have fewer distinct ones once in ten million. */
const DIFFERENT_MIN = 8

/** The rule for a secret key from the settings, in words for the operator. */
export const SECRET_KEY_RULE =
  'must be sk_test_ or sk_live_ and then at least 32 random visible characters without a colon, ' +
  'such as the output of: openssl rand -hex 32'

/**
 * Returns whether a text could be a secret key that cannot be guessed. Secret keys are stored as a
 * fast hash and may be tried without limit, so only their entropy protects them.
 */
export function isStrongSecretKey(text: string): boolean {
  const random = SECRET_KEY.exec(text)?.groups?.['random']
  return random !== undefined && new Set(random).size >= DIFFERENT_MIN
}
