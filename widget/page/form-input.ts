import type {
  CheckoutView,
  SubmittedAddress,
  SubmittedDetails,
  SubmitRequest,
  SubmittedMethod,
} from '../../shared/page-model.ts'
import { looksLikeEmail } from '../../shared/rules/email.ts'
import { chunk } from './chunks.ts'
import type { FieldErrors, FieldName, FieldValues, FormInput } from './fields.ts'
import { adapterOf } from './methods/adapter-of.ts'

/** The part of a submit request that comes from the form. */
export type Submission = Omit<SubmitRequest, 'attempt_key' | 'options_v' | 'milliseconds_since'>

/** Returns the errors of all fields. `now` is epoch milliseconds. */
export function checkForm(input: FormInput, checkout: CheckoutView, now: number): FieldErrors {
  const { values } = input
  const { offered, saved } = input.choice ?? {}
  return {
    ...checkDetails(values, checkout),
    ...checkAmount(input, checkout),
    ...(offered ? adapterOf(offered)?.validate(values, now, offered) : {}),
    ...(saved ? chunk('saved-methods')?.checkSecurityCode(saved, values.saved_csc) : {}),
  }
}

function checkDetails(values: FieldValues, checkout: CheckoutView): FieldErrors {
  const email = values.email.trim()
  const plausible = email === '' || looksLikeEmail(email)
  return checkout.details.needed && !plausible ? { email: { id: 'details.email_invalid' } } : {}
}

function checkAmount({ typedAmount }: FormInput, checkout: CheckoutView): FieldErrors {
  const { terms } = checkout
  if (!terms.amount_editable) return {}
  if (typedAmount.state === 'EMPTY') return { amount: { id: 'checkout.amount_missing' } }
  if (typedAmount.state === 'INVALID') return { amount: { id: 'checkout.amount_invalid' } }
  if (typedAmount.state === 'OTHER_CURRENCY') {
    const { currency } = terms
    return { amount: { id: 'checkout.amount_currency', values: { currency } } }
  }
  const amount = chunk('terms')?.checkRange(typedAmount.amount, checkout)
  return amount ? { amount } : {}
}

/** Fixed terms are left out: the server has them and refuses a request that differs. */
export function buildSubmission(
  input: FormInput,
  checkout: CheckoutView,
  method: SubmittedMethod,
): Submission {
  const { values, amount, saving } = input
  const { terms, details } = checkout
  const description = values.description.trim()
  const alt_key = values.alt_key.trim()
  const account = details.needed ? payerDetails(values) : undefined
  return {
    // The sum of charges can change while the page is open.
    ...((terms.amount_editable || terms.charges) && amount !== null ? { amount } : {}),
    ...(terms.choice?.unit_amount === undefined
      ? {}
      : { quantity: chunk('terms')?.readQuantity(values.quantity, terms) }),
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

function payerDetails(values: FieldValues): SubmittedDetails | undefined {
  const person = pickFilled(values, ['first_name', 'last_name', 'email', 'phone'])
  const lines = pickFilled(values, ['line1', 'line2', 'line3', 'line4', 'line5', 'country'])
  // A region stays in the form when the payer chooses another country.
  const region = values.line6
  const inCountry = region.startsWith(`${values.country}-`) ? { line6: region } : {}
  const address: SubmittedAddress =
    Object.keys(lines).length === 0 ? {} : { ...lines, ...inCountry }
  const details = { ...person, ...(Object.keys(address).length === 0 ? {} : { address }) }
  return Object.keys(details).length === 0 ? undefined : details
}

function pickFilled<Name extends FieldName>(
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
  quantity: 'quantity',
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
  'payment_method.csc_token': 'saved_csc',
}

/** The field of a request member; undefined for a member that no field sets. */
export function fieldForMember(member: string | null): FieldName | undefined {
  return member === null ? undefined : MEMBER_FIELDS[member]
}
