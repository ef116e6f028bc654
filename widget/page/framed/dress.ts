import css from './framed.css?inline'

const QUERY = /\(prefers-color-scheme: *(light|dark)\)/g
/** Conditions that always and never hold. */
const YES = '(min-width: 0px)'
const NO = '(max-width: -1px)'

/** The style sheet's own conditions, by their rules, before any of them was changed. */
const own = new Map<CSSMediaRule, string>()

/** Puts on the look of a page inside another one. */
export function wear(mode: 'inline' | 'overlay'): void {
  document.documentElement.dataset['frame'] = mode
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/**
 * Follows the colour scheme of the page around: `declared` is its CSS `color-scheme`. A page that
 * declares none is light, whatever the payer's system prefers, and a dark checkout would stand out of
 * it; one that declares both leaves it to the system. A theme with colours of one scheme stays as it
 * is.
 */
export function dress(declared: string): void {
  const html = document.documentElement
  const both = ['light', 'dark'].every((scheme) => declared.includes(scheme))
  const scheme = both ? '' : declared.includes('dark') ? 'dark' : 'light'
  html.style.colorScheme = ''
  if (getComputedStyle(html).colorScheme.split(' ').length < 2) return
  html.style.colorScheme = scheme
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) if (rule instanceof CSSMediaRule) decide(rule, scheme)
  }
}

function decide(rule: CSSMediaRule, scheme: string): void {
  const condition = own.get(rule) ?? rule.media.mediaText
  own.set(rule, condition)
  const decided = condition.replace(QUERY, (_, asked) => (asked === scheme ? YES : NO))
  rule.media.mediaText = scheme === '' ? condition : decided
}
