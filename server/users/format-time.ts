import type { Translator } from './translator.ts'

const MINUTE_MS = 60_000

/** Formats a wait in seconds or minutes, rounded up: `8 seconds`, `15 minutes`. */
export function formatWait({ language }: Translator, ms: number): string {
  const unit = ms > MINUTE_MS ? 'minute' : 'second'
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.ceil(ms / (unit === 'minute' ? MINUTE_MS : 1000)))
}

/** Formats the date of an instant (epoch ms), such as `May 21, 2031`. */
export function formatDate({ language }: Translator, instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(instant)
}
