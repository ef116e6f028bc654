import type { Words } from './translator.ts'

/** Every field that a payer can type into, in the order in which they stand on the page. */
export const FIELDS = [
  'amount',
  'first_name',
  'last_name',
  'email',
  'phone',
  'line1',
  'line2',
  'line3',
  'line5',
  'line4',
  'country',
  'line6',
  'alt_key',
  'description',
  'saved_csc',
  'number',
  'expiry',
  'csc',
  'iban',
  'holder',
] as const

export type FieldName = (typeof FIELDS)[number]
export type FieldErrors = Partial<Record<FieldName, Words>>
export type FieldValues = Readonly<Record<FieldName, string>>

/** The id of a field's input; errors, labels and the focus find it by this. */
export function inputId(name: FieldName): string {
  return `field-${name.replace('_', '-')}`
}

/** The errors' fields in the order in which they stand on the page. */
export function inOrder(errors: FieldErrors): FieldName[] {
  return FIELDS.filter((name) => errors[name] !== undefined)
}
