import type { Instance } from '../db/rows.ts'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import { type Palette, paletteOf, schemesOf, type Theme } from '../../shared/rules/palette.ts'
import { fromJson } from '../db/json.ts'
import { brandingsOf } from '../instances/brandings.ts'

/** How an instance or one of its brandings looks. */
export interface PageTheme {
  /** What the style sheet of the page is followed by; empty for the built-in look. */
  css: string
  /** https address of an image on a plain origin, or null. */
  logo: string | null
}

export const DEFAULT_THEME: PageTheme = { css: '', logo: null }

/**
 * The look of a branding, or of the instance itself where `branding` is empty. What a branding
 * leaves open it takes from the instance, token by token.
 */
export function pageTheme(instance: Instance, branding: string): PageTheme {
  const face = brandingsOf(instance).find(({ key }) => key === branding)
  const theme = { ...fromJson<Theme>(instance.theme), ...face?.theme }
  const logo = face?.logo ?? null
  return { css: themeCss(theme), logo: logo !== null && plainOrigin(logo) !== null ? logo : null }
}

/** A theme as CSS that overrides the built-in tokens; every value was checked when it was saved. */
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
