/** Colors as `#rrggbb` and their contrast (WCAG 2.2). */

type Rgb = readonly [number, number, number]

const WHITE = '#ffffff'
const BLACK = '#000000'

/** Returns the contrast ratio of two colors, from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const lights = [luminance(one), luminance(other)]
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
}

/** Mixes two colors; `part` is 0 to 1. */
export function mix(from: string, to: string, part: number): string {
  const target = channels(to)
  const mixed = channels(from).map((value, at) => value + ((target[at] ?? 0) - value) * part)
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}

/** Returns black or white, whichever has more contrast; one of them always reaches 4.5. */
export function textColorOn(background: string): string {
  return contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK
}

/** Returns whether text on a color should be light. */
export function isDark(color: string): boolean {
  return textColorOn(color) === WHITE
}

const STEPS = 50

/**
 * Returns the color if it reaches `ratio` on every background, else the nearest one towards black
 * or white that does; if none does, the better of the two.
 */
export function readableOn(backgrounds: readonly string[], preferred: string, ratio = 4.5): string {
  const worst = (color: string) => Math.min(...backgrounds.map((back) => contrast(color, back)))
  const ways = [BLACK, WHITE].map((end) => {
    for (let step = 0; step <= STEPS; step += 1) {
      const color = mix(preferred, end, step / STEPS)
      if (worst(color) >= ratio) return { color, step }
    }
    return { color: end, step: STEPS + 1 - worst(end) / 21 }
  })
  return ways.reduce((best, way) => (way.step < best.step ? way : best)).color
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: string): Rgb {
  const bits = Number.parseInt(color.slice(1), 16)
  return [bits >> 16, (bits >> 8) & 255, bits & 255]
}
