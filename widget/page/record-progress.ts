import { looksLikeEmail } from '../../shared/rules/email.ts'
import { type FieldName, FIELDS, type FieldValues } from './fields.ts'
import type { Milestones } from './milestones.ts'

export interface Progress {
  values: FieldValues
  /** The field that was just typed into; undefined at a submit. */
  field?: FieldName | undefined
  detailsNeeded: boolean
  /** Epoch milliseconds. */
  now: number
}

/**
 * Records the milestones reached for the first time. A method counts as chosen with the first input
 * in its fields, because the first method of the list is preselected.
 */
export function recordProgress(milestones: Milestones, progress: Progress): void {
  const { values, field, detailsNeeded, now } = progress
  if (field === undefined || isMethodField(field)) milestones.method_chosen ??= now
  if (detailsNeeded && areDetailsDone(values)) milestones.details_done ??= now
}

/** The fields of the payment methods come last in `FIELDS`. */
function isMethodField(name: FieldName): boolean {
  return FIELDS.indexOf(name) > FIELDS.indexOf('description')
}

function areDetailsDone({ first_name, last_name, email }: FieldValues): boolean {
  return first_name.trim() !== '' && last_name.trim() !== '' && looksLikeEmail(email.trim())
}
