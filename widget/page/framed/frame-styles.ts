import { SCHEME_RULE, conditionIn, schemeAround } from '../../../shared/rules/scheme.ts'
import css from './framed.css?inline'

/** Puts on the look of a page inside another one. */
export function applyFrameStyles(mode: 'inline' | 'overlay'): void {
  document.documentElement.dataset['frame'] = mode
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/**
 * Follows the page around, whose CSS `color-scheme` is `declared`. The server has done the same for
 * the first view; this is for a page that changes its mind, or that a bank's page came between.
 */
export function applyColorScheme(declared: string): void {
  const scheme = schemeAround(declared)
  for (const rule of document.styleSheets[0]?.cssRules ?? []) {
    if (rule instanceof CSSMediaRule) {
      rule.media.mediaText = conditionIn(scheme, rule.media.mediaText)
    } else if (rule instanceof CSSStyleRule && rule.selectorText === SCHEME_RULE) {
      rule.style.colorScheme = scheme || 'light dark'
    }
  }
}
