import { conditionIn, type ColorScheme, SCHEME_RULE } from '../../shared/rules/scheme.ts'

/**
 * Returns the page's style sheet followed by the merchant's theme, fixed to the color scheme of the
 * embedding page; undefined is a page that is not embedded. Fixed on the server, so that the first
 * view is right before any script runs. A theme with one scheme keeps it.
 */
export function applyColorScheme(
  css: string,
  theme: string,
  embedding: ColorScheme | undefined,
): string {
  if (embedding === undefined) return css + theme
  const fixScheme = (text: string) =>
    text.replace(/(@media )([^{]*)/g, (_, at, condition) => at + conditionIn(embedding, condition))
  const scheme = `color-scheme:${embedding || 'light dark'}`
  return `${fixScheme(css)}${SCHEME_RULE}{${scheme}}${fixScheme(theme)}`
}
