import type {
  CheckoutView,
  PayerAddress,
  PayerDetails,
  SubmittedMethod,
} from '../../shared/page-model.ts'
import { looksLikeEmail } from '../../shared/rules/email.ts'
import type { FieldErrors, FieldName, FieldValues } from './fields.ts'
import type { Form } from './form.ts'
import { methodFace } from './methods/registry.ts'
import { chunk } from './chunks.ts'
import type { Submission } from './payment-flow.ts'

/** What stands in the way of paying, over all sections of the form. */
export function checkForm(form: Form, checkout: CheckoutView, now: number): FieldErrors {
  const values = form.read()
  const { offered, saved } = form.choice.value ?? {}
  return {
    ...checkDetails(values, checkout),
    ...checkAmount(form, checkout),
    ...(offered ? methodFace(offered)?.half()?.check(values, now) : {}),
    ...(saved ? chunk('saved-methods')?.savedCodeProblem(saved, values.saved_csc) : {}),
  }
}

function checkDetails(values: FieldValues, checkout: CheckoutView): FieldErrors {
  const email = values.email.trim()
  const plausible = email === '' || looksLikeEmail(email)
  return checkout.details.needed && !plausible ? { email: { id: 'details.email_invalid' } } : {}
}

function checkAmount(form: Form, checkout: CheckoutView): FieldErrors {
  if (!checkout.terms.amount_editable) return {}
  const typed = form.typedAmount.value
  if (typed.state === 'EMPTY') return { amount: { id: 'checkout.amount_missing' } }
  if (typed.state === 'INVALID') return { amount: { id: 'checkout.amount_invalid' } }
  if (typed.state === 'OTHER_CURRENCY') {
    const { currency } = checkout.terms
    return { amount: { id: 'checkout.amount_currency', values: { currency } } }
  }
  return /[1-9]/.test(typed.amount) ? {} : { amount: { id: 'checkout.amount_zero' } }
}

/**
 * The payer's part of a submit request. Fixed terms are left out: the server knows them, and
 * refuses what differs (contract section 7.3).
 */
export function submissionOf(
  form: Form,
  checkout: CheckoutView,
  method: SubmittedMethod,
): Submission {
  const values = form.read()
  const { terms, details } = checkout
  const saving = form.saving.value
  const description = values.description.trim()
  const alt_key = values.alt_key.trim()
  const account = details.needed ? typedDetails(values) : undefined
  return {
    ...(terms.amount_editable && form.amount.value !== null ? { amount: form.amount.value } : {}),
    currency: terms.currency,
    ...(terms.alt_key_editable ? { alt_key: alt_key || null } : {}),
    ...(terms.description_editable || (terms.comment_allowed && description !== '')
      ? { description }
      : {}),
    ...(account === undefined ? {} : { account }),
    payment_method: method,
    ...(saving.show ? { save_card: saving.checked } : {}),
  }
}

function typedDetails(values: FieldValues): PayerDetails | undefined {
  const person = given(values, ['first_name', 'last_name', 'email', 'phone'])
  const lines = given(values, ['line1', 'line2', 'line3', 'line4', 'line5', 'country'])
  // The merchant's, or another that the payer chose: true only while it lies in the country.
  const region = values.line6
  const kept = region.startsWith(`${values.country}-`) ? { line6: region } : {}
  const address: PayerAddress = Object.keys(lines).length === 0 ? {} : { ...lines, ...kept }
  const details = { ...person, ...(Object.keys(address).length === 0 ? {} : { address }) }
  return Object.keys(details).length === 0 ? undefined : details
}

function given<Name extends FieldName>(
  values: FieldValues,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const entries = names.map((name) => [name, values[name].trim()])
  return Object.fromEntries(entries.filter(([, text]) => text !== '')) as Partial<
    Record<Name, string>
  >
}

const MEMBER_FIELDS: Readonly<Record<string, FieldName>> = {
  amount: 'amount',
  alt_key: 'alt_key',
  description: 'description',
  'account.email': 'email',
  'account.phone': 'phone',
  'account.first_name': 'first_name',
  'account.last_name': 'last_name',
  'account.address.line5': 'line5',
  'account.address.line6': 'line6',
  'account.address.country': 'country',
  'payment_method.csc': 'saved_csc',
}

/** The field of a member that the server refused, or undefined for one that nobody typed. */
export function fieldOfMember(member: string | null): FieldName | undefined {
  return member === null ? undefined : MEMBER_FIELDS[member]
}
