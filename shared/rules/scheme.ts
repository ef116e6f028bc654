/** A colour scheme; empty where the payer's system decides. */
export type Scheme = 'light' | 'dark' | ''

/**
 * The colour scheme of a framed page, whose surroundings have declared the CSS `color-scheme`
 * `declared`; empty where the payer's system decides. A page that declares nothing is a light one,
 * whatever the system prefers, and a dark checkout would stand out of it.
 */
export function schemeAround(declared: string): Scheme {
  if (!declared.includes('dark')) return 'light'
  return declared.includes('light') ? '' : 'dark'
}

/** The rule by which a framed page follows it; by this selector the page's script finds it again. */
export const SCHEME_RULE = ':where(html):root'

/** What is added to a condition, so that it always or never holds and can be told from its own. */
const ALWAYS = ', (min-width: 0px)'
const NEVER = ' and (max-width: -1px)'

/** A style sheet's condition that asks for the payer's scheme, as it is where the scheme is given. */
export function conditionIn(scheme: Scheme, condition: string): string {
  const own = condition.replace(ALWAYS, '').replace(NEVER, '')
  const asked = /\(prefers-color-scheme: *(light|dark)\)/.exec(own)?.[1]
  if (asked === undefined || scheme === '') return own
  return own + (asked === scheme ? ALWAYS : NEVER)
}
