/** Adds the styles of a chunk. The server has them in the document of a view that needs them at once. */
export function addRule(css: string): void {
  // The policy of the page allows no further style element, and `@media all` makes one rule of all.
  if (typeof document === 'undefined') return
  const [sheet] = document.styleSheets
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length)
}
