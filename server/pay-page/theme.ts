import type { Instance } from '../db/tables/instances.ts'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import { type Palette, paletteOf, schemesOf, type Theme } from '../../shared/rules/palette.ts'
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

/** Returns the CSS that overrides the default tokens. Values are validated when they are saved. */
export function themeCss(theme: Theme): string {
  const radius = theme.radius === undefined ? '' : `:root{--radius:${theme.radius}}`
  if (theme.accent === undefined && theme.surface === undefined && theme.text === undefined) {
    return radius
  }
  const schemes = schemesOf(theme)
  const [only] = schemes
  if (schemes.length === 1 && only !== undefined) {
    return `${radius}:root{color-scheme:${only};${declarations(paletteOf(theme, only))}}`
  }
  const light = declarations(paletteOf(theme, 'light'))
  const dark = declarations(paletteOf(theme, 'dark'))
  return `${radius}:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`
}

function declarations(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}
