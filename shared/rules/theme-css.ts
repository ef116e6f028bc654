import { type Palette, paletteOf, schemesOf, type Theme } from './palette.ts'

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
