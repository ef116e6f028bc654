import { intlLanguage } from '../../shared/rules/wording.ts'

/** A moment in the payer's language, always with the name of the zone (contract section 3). */
export function momentText(iso: string, language: string, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(intlLanguage(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(iso))
}
