import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** zxcvbn's scale is 0 to 4; 3 means more than 10^8 guesses. */
const SCORE_MIN = 3

/** zxcvbn's time grows faster than the length, and a longer password is no weaker. */
const CHECKED_LENGTH_MAX = 50

// The dictionaries take 0.1 s and several megabytes, so the first password loads them.
let loading: Promise<ZxcvbnFactory> | undefined

/**
 * Returns whether a password is too easy to guess, by zxcvbn. `related` are words that an attacker
 * would try first, such as the user's email.
 */
export async function isGuessable(password: string, related: readonly string[]): Promise<boolean> {
  const zxcvbn = await (loading ??= load())
  return zxcvbn.check(password.slice(0, CHECKED_LENGTH_MAX), [...related]).score < SCORE_MIN
}

async function load(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  })
}
