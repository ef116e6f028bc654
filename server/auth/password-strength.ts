import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/**
 * How hard a password is to guess, by zxcvbn: dictionaries of common passwords, names and words,
 * keyboard patterns, dates, repeats and sequences.
 *
 * The dictionaries take a tenth of a second and some megabytes to load, so they are loaded when the
 * first password is set and never at the start.
 */

/** Of 0 to 4. 3 means more than 10^8 guesses, beyond what stolen argon2id hashes give up in bulk. */
const SCORE_MIN = 3

/** The time that zxcvbn takes grows faster than the length; a longer password is no weaker. */
const JUDGED_LENGTH_MAX = 50

let loading: Promise<ZxcvbnFactory> | undefined

/**
 * Returns whether a password is too easy to guess. `related` is what an attacker who knows the user
 * would try first, such as the e-mail.
 */
export async function isGuessable(password: string, related: readonly string[]): Promise<boolean> {
  const zxcvbn = await (loading ??= load())
  return zxcvbn.check(password.slice(0, JUDGED_LENGTH_MAX), [...related]).score < SCORE_MIN
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
