import { contrast, textColorOn, isDark, mix, readableOn } from './color.ts'

/**
 * The colors of the page, derived from the few that a merchant sets. A color without enough
 * contrast is moved towards black or white until all text is readable (WCAG 2.2 AA).
 */

/** What a merchant may set; colors are `#rrggbb`. */
export interface Theme {
  accent?: string | undefined
  surface?: string | undefined
  text?: string | undefined
  radius?: string | undefined
}

/** CSS custom properties without the two dashes. */
export type Palette = Readonly<Record<string, string>>

const ACCENT = '#0b6b4f'
const SURFACES = { light: '#ffffff', dark: '#171d1a' }
const GROUNDS = { light: '#f4f5f3', dark: '#0f1412' }
const TEXTS = { light: '#16201c', dark: '#e9efec' }
/**
 * Minimum contrast of a shape whose text already identifies it: a yellow button stays yellow, but a
 * black one on black remains visible.
 */
const SHAPE_RATIO = 1.3
const HUES = { problem: '#a8261c', news: '#134f86', test: '#6b4a00' }

export type Scheme = 'light' | 'dark'

/**
 * Returns the color schemes of a theme. A merchant who sets a surface has designed one look, which
 * is not inverted for a dark scheme.
 */
export function schemesOf(theme: Theme): readonly Scheme[] {
  if (theme.surface === undefined) return ['light', 'dark']
  return [isDark(theme.surface) ? 'dark' : 'light']
}

/** Returns all colors of the page for a theme and scheme. */
export function paletteOf(theme: Theme, scheme: Scheme): Palette {
  const surface = theme.surface ?? SURFACES[scheme]
  const wantedText = scheme === 'light' || theme.surface ? theme.text : undefined
  const text = readableOn([surface], wantedText ?? TEXTS[scheme])
  const ground = theme.surface === undefined ? GROUNDS[scheme] : groundOf(surface, text)
  const raised = mix(surface, ground, 0.5)
  const grounds = [surface, ground, raised]
  const body = readableOn(grounds, text)
  const accent = readableOn(grounds, theme.accent ?? ACCENT)
  const fill = theme.accent ? readableOn(grounds, theme.accent, SHAPE_RATIO) : accent
  const accentText = textColorOn(fill)
  return {
    accent,
    fill,
    // Away from the text color, so that the text is readable on it as well.
    'accent-strong': mix(fill, accentText === '#ffffff' ? '#000000' : '#ffffff', 0.18),
    'accent-text': accentText,
    'accent-tint': mix(surface, accent, 0.12),
    ground,
    surface,
    raised,
    text: body,
    muted: readableOn(grounds, mix(body, surface, 0.32)),
    line: mix(surface, body, 0.13),
    control: readableOn(grounds, mix(body, surface, 0.5), 3),
    ...tinted(surface, scheme),
  }
}

/** Returns a shade for the ground behind the surface on which text is still readable. */
function groundOf(surface: string, text: string): string {
  const darker = mix(surface, text, 0.04)
  return contrast(textColorOn(surface), darker) >= 4.5 ? darker : surface
}

/** Errors, notices and the test ribbon, each on its own tint. */
function tinted(surface: string, scheme: Scheme): Palette {
  return Object.fromEntries(
    Object.entries(HUES).flatMap(([name, hue]) => {
      const preferred = mix(surface, hue, scheme === 'dark' ? 0.28 : 0.08)
      // The error of a field is on the surface, a notice on its tint.
      const ink = readableOn([preferred, surface], hue)
      const fits = contrast(ink, preferred) >= 4.5 && contrast(ink, surface) >= 4.5
      const tint = fits ? preferred : surface
      return [
        [name, readableOn([tint, surface], ink)],
        [`${name}-tint`, tint],
      ]
    }),
  )
}
