/** A color scheme; empty if the payer's system decides. */
export type ColorScheme = 'light' | 'dark' | ''

/**
 * Returns the color scheme of a framed page from the CSS `color-scheme` that the embedding page
 * declared; empty if the payer's system decides. A page that declares nothing is light, whatever
 * the system prefers.
 */
export function colorSchemeOf(declared: string): ColorScheme {
  if (!declared.includes('dark')) return 'light'
  return declared.includes('light') ? '' : 'dark'
}

/** The rule that sets the scheme of a framed page; the page's script finds it by this selector. */
export const SCHEME_RULE = ':where(html):root'

/** Added to a media condition so that it always or never matches, and can be removed again. */
const ALWAYS = ', (min-width: 0px)'
const NEVER = ' and (max-width: -1px)'

/** Returns a media condition that queries the color scheme, adapted to a given scheme. */
export function conditionIn(scheme: ColorScheme, condition: string): string {
  const own = condition.replace(ALWAYS, '').replace(NEVER, '')
  const queried = /\(prefers-color-scheme: *(light|dark)\)/.exec(own)?.[1]
  if (queried === undefined || scheme === '') return own
  return own + (queried === scheme ? ALWAYS : NEVER)
}
