import { conditionIn, SCHEME_RULE, colorSchemeOf } from '../../../shared/rules/scheme.ts'
import css from './framed.css?inline'

export function applyFrameStyles(mode: 'inline' | 'overlay'): void {
  document.documentElement.dataset['frame'] = mode
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/**
 * Applies the CSS `color-scheme` that the host page declares. The server does the same for the first
 * view; this handles a change of it and the return from a bank's page.
 */
export function applyColorScheme(declared: string): void {
  const scheme = colorSchemeOf(declared)
  for (const rule of document.styleSheets[0]?.cssRules ?? []) {
    if (rule instanceof CSSMediaRule) {
      rule.media.mediaText = conditionIn(scheme, rule.media.mediaText)
    } else if (rule instanceof CSSStyleRule && rule.selectorText === SCHEME_RULE) {
      rule.style.colorScheme = scheme || 'light dark'
    }
  }
}
