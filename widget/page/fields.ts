import type { Signal } from '@preact/signals'
import type { OfferedMethod, SavedMethod } from '../../shared/page-model.ts'
import type { TypedAmount } from '../../shared/rules/typed-amount.ts'
import type { MessageDescriptor } from './translator.ts'

/** The fields of the form in page order, each with a text. */
export const FIELDS = [
  'preset',
  'quantity',
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
export type FieldErrors = Partial<Record<FieldName, MessageDescriptor>>
export type FieldValues = Readonly<Record<FieldName, string>>
export type FieldSignals = Readonly<Record<FieldName, Signal<string>>>

/** An entry of the radio group of payment methods. */
export type MethodChoice =
  | { key: string; saved: SavedMethod; offered?: undefined }
  | { key: string; offered: OfferedMethod; saved?: undefined }

/** What the payer has entered and chosen. */
export interface FormInput {
  values: FieldValues
  /** Undefined when no method is offered. */
  choice: MethodChoice | undefined
  typedAmount: TypedAmount
  /** The amount to pay as a decimal string; null while unknown. */
  amount: string | null
  saving: { show: boolean; checked: boolean }
}

/** The part of the form that a submit works with. */
export interface SubmittableForm {
  errors: Signal<FieldErrors>
  input: () => FormInput
  setError: (name: FieldName, error: MessageDescriptor | undefined) => void
}

/** The element id of a field's input. */
export function inputId(name: FieldName): string {
  return `field-${name.replace('_', '-')}`
}

/** The fields with errors, in the order of the form. */
export function fieldsWithErrors(errors: FieldErrors): FieldName[] {
  return FIELDS.filter((name) => errors[name] !== undefined)
}
