/**
 * Texts that the server formatted with `Intl`. A first use of `Intl` takes a slow phone as long as
 * the rest of the hydration, so the page reuses them.
 */
const texts = new Map<string, string>()

export function keepServerText(key: string, text: string | null | undefined): void {
  if (text) texts.set(key, text)
}

/** Returns the server's text for `key`, else formats it. */
export function serverTextOr(key: string, format: () => string): string {
  return texts.get(key) ?? format()
}
