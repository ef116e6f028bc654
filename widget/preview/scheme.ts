/** Shows a style sheet in a color scheme, whatever the system prefers. */

/** How the style sheets of the page ask for dark colors. */
const PREFERS = /prefers-color-scheme:\s*(light|dark)/

/** The scheme that each rule asks for, since its text is replaced. */
const asked = new WeakMap<CSSMediaRule, string>()

/** Turns the rules of a scheme on, and those of the other one off. */
export function showScheme(scheme: 'light' | 'dark'): void {
  document.documentElement.style.colorScheme = scheme
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    setMedia(sheet.cssRules, scheme)
  }
}

function setMedia(rules: CSSRuleList, scheme: 'light' | 'dark'): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const wanted = asked.get(rule) ?? PREFERS.exec(rule.media.mediaText)?.[1]
      if (wanted !== undefined) {
        asked.set(rule, wanted)
        rule.media.mediaText = wanted === scheme ? 'all' : 'not all'
      }
    }
    if (rule instanceof CSSGroupingRule) setMedia(rule.cssRules, scheme)
  }
}
