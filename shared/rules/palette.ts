import { contrast, inkOn, isDark, mix, readableOn } from './colour.ts'

/**
 * The colours of the page from the few that a merchant names. Whatever they name, every text can
 * be read: a colour that cannot be is moved towards black or white until it can (WCAG 2.2 AA).
 */

/** What a merchant may set; colours are `#rrggbb`. */
export interface Theme {
  accent?: string | undefined
  surface?: string | undefined
  text?: string | undefined
  radius?: string | undefined
}

/** The page's own properties by name, without the two dashes. */
export type Palette = Readonly<Record<string, string>>

const ACCENT = '#0b6b4f'
const SURFACES = { light: '#ffffff', dark: '#171d1a' }
const GROUNDS = { light: '#f4f5f3', dark: '#0f1412' }
const TEXTS = { light: '#16201c', dark: '#e9efec' }
/**
 * What a shape needs against what it lies on, where the words in it already say what it is: a yellow
 * button stays yellow, and a black one on black does not vanish.
 */
const SHAPE_RATIO = 1.3
const HUES = { problem: '#a8261c', news: '#134f86', test: '#6b4a00' }

export type Scheme = 'light' | 'dark'

/**
 * The schemes that a theme is drawn in. A merchant who names a surface has designed one look, and
 * it is not turned around for payers who like it dark.
 */
export function schemesOf(theme: Theme): readonly Scheme[] {
  if (theme.surface === undefined) return ['light', 'dark']
  return [isDark(theme.surface) ? 'dark' : 'light']
}

/** Every colour of the page for a theme in a scheme. */
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
  const accentText = inkOn(fill)
  return {
    accent,
    fill,
    // Away from the text on it, so that the text can be read on this one too.
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

/** A shade beside the surface that lifts it, but not at the cost of what is written on it. */
function groundOf(surface: string, text: string): string {
  const darker = mix(surface, text, 0.04)
  return contrast(inkOn(surface), darker) >= 4.5 ? darker : surface
}

/** Bad news, news and the test ribbon, each on a tint of its own. */
function tinted(surface: string, scheme: Scheme): Palette {
  return Object.fromEntries(
    Object.entries(HUES).flatMap(([name, hue]) => {
      const wanted = mix(surface, hue, scheme === 'dark' ? 0.28 : 0.08)
      // A field's error stands on the surface, a notice on its tint.
      const ink = readableOn([wanted, surface], hue)
      const fits = contrast(ink, wanted) >= 4.5 && contrast(ink, surface) >= 4.5
      const tint = fits ? wanted : surface
      return [
        [name, readableOn([tint, surface], ink)],
        [`${name}-tint`, tint],
      ]
    }),
  )
}
