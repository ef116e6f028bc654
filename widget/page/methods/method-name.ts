import type { StringId, Translator } from '../translator.ts'

/** Returns what the payer reads for a type of payment method, such as `CARD`. */
export const methodName = (type: string, t: Translator) =>
  t(`methods.${type.toLowerCase()}` as StringId)
