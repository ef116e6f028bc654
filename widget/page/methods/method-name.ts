import type { StringId, Translator } from '../translator.ts'

/**
 * What the payer reads for each type of payment method that this page can take: a string id, or the name
 * of a payment scheme, which no language translates.
 */
const NAMES: Readonly<Record<string, string>> = {
  CARD: 'methods.card',
  DIRECT_DEBIT: 'methods.direct_debit',
  BANK_TRANSFER: 'methods.bank_transfer',
  IDEAL: 'iDEAL',
  BANCONTACT: 'Bancontact',
  EPS: 'EPS',
  PRZELEWY: 'Przelewy24',
}

/** Returns false for a type that this page cannot take. */
export const isKnown = ({ type }: { type: string }) => type in NAMES

/** Returns what the payer reads for a type of payment method. */
export const methodName = (type: string, t: Translator) => t((NAMES[type] ?? type) as StringId)
