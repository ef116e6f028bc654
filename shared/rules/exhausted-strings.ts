import type { Strings } from './wording.ts'

/** Returns strings whose sentences about an unavailable link are those of a deep link without uses left. */
export function exhaustedStrings(strings: Strings): Strings {
  return {
    ...strings,
    'status.unavailable': strings['status.exhausted'] ?? '',
    'status.unavailable_title': strings['status.exhausted_title'] ?? '',
  }
}
