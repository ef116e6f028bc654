/** What is wrong with keys of Stripe as they are typed, before they are sent. */
export type KeyProblem = 'key_secret_wrong' | 'key_public_wrong' | 'key_mode_live' | 'key_mode_test'

/**
 * Returns what is wrong with a key of Stripe; undefined for an empty one and one that may be right. Only
 * Stripe knows whether it accepts the key.
 */
export function keyProblem(
  key: string,
  kind: 'secret' | 'public',
  mode: 'TEST' | 'LIVE',
): KeyProblem | undefined {
  if (key === '') return undefined
  const form = kind === 'secret' ? /^(sk|rk)_(test|live)_[\w]{8,}$/ : /^pk_(test|live)_[\w]{8,}$/
  if (!form.test(key)) return kind === 'secret' ? 'key_secret_wrong' : 'key_public_wrong'
  const isLive = key.includes('_live_')
  if (isLive === (mode === 'LIVE')) return undefined
  return mode === 'LIVE' ? 'key_mode_live' : 'key_mode_test'
}
