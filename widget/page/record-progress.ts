import { looksLikeEmail } from '../../shared/rules/email.ts'
import type { Checkout } from './checkout.ts'
import { type FieldName, FIELDS, type FieldValues } from './fields.ts'

/**
 * Notes how far the payer is for the first time, after they typed into a field or, without one, when
 * they pay. A method counts as chosen with the first letter in its fields, because the first of the
 * list is chosen from the start.
 */
export function recordProgress(
  { checkout, milestones, paying }: Checkout,
  values: FieldValues,
  typed?: FieldName,
): void {
  const now = paying.now()
  if (typed === undefined || isOfMethod(typed)) milestones.method_chosen ??= now
  if (checkout.value.details.needed && areDetailsDone(values)) milestones.details_done ??= now
}

/** The fields of the methods come last. */
function isOfMethod(name: FieldName): boolean {
  return FIELDS.indexOf(name) > FIELDS.indexOf('description')
}

/** The other details lie behind a summary that few open. */
function areDetailsDone({ first_name, last_name, email }: FieldValues): boolean {
  return first_name.trim() !== '' && last_name.trim() !== '' && looksLikeEmail(email.trim())
}
