import type { StringId, Translator } from '../translator.ts'

/** Names of payment schemes, which no language translates. */
const SCHEMES: Readonly<Record<string, string>> = {
  IDEAL: 'iDEAL',
  BANCONTACT: 'Bancontact',
  EPS: 'EPS',
  PRZELEWY: 'Przelewy24',
}

const LABELS: Readonly<Record<string, StringId>> = {
  DIRECT_DEBIT: 'methods.direct_debit',
  BANK_TRANSFER: 'methods.bank_transfer',
}

/** Returns what the payer reads for a type of payment method. */
export function methodName(type: string, t: Translator): string {
  return SCHEMES[type] ?? t(LABELS[type] ?? 'methods.card')
}
