import type { Translator } from './translator.ts'

const MINUTE_MS = 60_000

/** How long to wait, in whole seconds or minutes and never too short: `8 seconds`, `15 minutes`. */
export function formatWait({ language }: Translator, ms: number): string {
  const unit = ms > MINUTE_MS ? 'minute' : 'second'
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.ceil(ms / (unit === 'minute' ? MINUTE_MS : 1000)))
}

/** A day as people write it, such as `21 May 2031`. */
export function formatDate({ language }: Translator, at: number, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(at)
}
