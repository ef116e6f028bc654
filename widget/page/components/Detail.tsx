import { FormField, type FormFieldProps } from './FormField.tsx'
import type { FieldName } from '../fields.ts'
import type { StringId } from '../translator.ts'

/** One detail; `token` is its autofill token, which names it and chooses its keyboard too. */
export function Detail(props: { name: FieldName; label: StringId; token: string }) {
  const { name, label, token } = props
  const shared = { name: token, autocomplete: token, maxLength: 255 }
  const input = token === 'email' || token === 'tel' ? { ...shared, type: token } : shared
  return <FormField name={name} label={label} input={input as FormFieldProps['input'] & object} />
}
