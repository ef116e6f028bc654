/**
 * What the server wrote with the help of `Intl`: asking a browser's own for the first time takes a slow
 * phone as long as everything else that it does before the page is alive.
 */
const words = new Map<string, string>()

/** Takes over what the server wrote, where it wrote anything. */
export function adoptWords(key: string, written: string | null | undefined): void {
  if (written) words.set(key, written)
}

/** What the server wrote under this key, or what `write` makes of it now. */
export function wordsOr(key: string, write: () => string): string {
  return words.get(key) ?? write()
}
