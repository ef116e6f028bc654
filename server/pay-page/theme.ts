import type { Instance } from '../db/tables/instances.ts'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import { themeCss } from '../../shared/rules/theme-css.ts'
import { brandingsOf, themeOf } from '../instances/brandings.ts'

export interface PageTheme {
  /** Follows the style sheet of the page; empty for the default theme. */
  css: string
  /** https URL of an image, or null. */
  logo: string | null
}

export const DEFAULT_THEME: PageTheme = { css: '', logo: null }

/**
 * Returns the theme of a branding, or of the instance where `branding` is empty. A branding inherits
 * each token that it does not set.
 */
export function pageTheme(instance: Instance, branding: string): PageTheme {
  const own = brandingsOf(instance).find(({ key }) => key === branding)
  const logo = own?.logo ?? null
  return {
    css: themeCss(themeOf(instance, branding)),
    logo: logo !== null && plainOrigin(logo) !== null ? logo : null,
  }
}
