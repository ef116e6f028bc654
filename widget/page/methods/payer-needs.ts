import type { OfferedMethod } from '../../../shared/page-model.ts'
import type { FieldErrors, FieldValues } from '../fields.ts'

/** Returns the errors of the details that a method needs of the payer and that are not entered. */
export function checkNeeds(values: FieldValues, needs: OfferedMethod['needs'] = []): FieldErrors {
  const lacks = (detail: (typeof needs)[number], text: string) =>
    needs.includes(detail) && text.trim() === ''
  return {
    ...(lacks('name', values.first_name + values.last_name) && {
      first_name: { id: 'details.name_missing' },
    }),
    ...(lacks('email', values.email) && { email: { id: 'details.email_invalid' } }),
    ...(lacks('country', values.country) && { country: { id: 'details.country_none' } }),
  }
}
