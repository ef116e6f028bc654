import type { CheckoutView } from '../../shared/page-model.ts'
import type { Checkout } from './checkout.ts'
import { chunk } from './chunks.ts'
import { fieldsWithErrors, type SubmittableForm } from './fields.ts'
import { buildSubmission, checkForm, fieldForMember, type Submission } from './form-input.ts'
import { adapterOf } from './methods/adapter-of.ts'
import { digitsOf } from './methods/card-number.ts'
import type { Tokenized } from './methods/method-adapter.ts'
import { createPaymentFlow } from './payment-flow.ts'
import { recordProgress } from './record-progress.ts'

/**
 * Validates the form, exchanges the method's details for a token and pays with it. Pays only on the
 * terms of `confirmed`, which the payer saw.
 */
export async function submitPayment(
  checkout: Checkout,
  form: SubmittableForm,
  confirmed: CheckoutView = checkout.checkout.value,
): Promise<void> {
  if (checkout.step.value !== 'form') return
  const flow = createPaymentFlow(checkout.flow)
  const input = form.input()
  const errors = checkForm(input, confirmed, checkout.time())
  form.errors.value = errors
  const invalid = fieldsWithErrors(errors)
  if (invalid.length > 0) return flow.reportInvalidFields(invalid.length)
  if (input.choice === undefined) return
  recordProgress(checkout.milestones, {
    values: input.values,
    detailsNeeded: confirmed.details.needed,
    now: checkout.flow.now(),
  })
  await flow.pay(confirmed, async (): Promise<Submission | 'UNREACHABLE' | null> => {
    const tokenized = await tokenize()
    if (tokenized.kind === 'UNREACHABLE') return 'UNREACHABLE'
    if (tokenized.kind === 'REFUSED') {
      form.errors.value = tokenized.errors
      return null
    }
    return buildSubmission(form.input(), confirmed, tokenized.method)
  })
  const refused = fieldForMember(checkout.refusedMember.value)
  if (refused !== undefined) form.setError(refused, { id: 'errors.check_field' })

  async function tokenize(): Promise<Tokenized> {
    const { choice, values } = form.input()
    if (choice?.saved?.csc === 'TOKEN') {
      return chunk('framed-card')?.tokenizeCode(choice.saved.id) ?? { kind: 'UNREACHABLE' }
    }
    if (choice?.saved) {
      const csc = digitsOf(values.saved_csc)
      return { kind: 'READY', method: { id: choice.saved.id, ...(csc === '' ? {} : { csc }) } }
    }
    const adapter = choice && adapterOf(choice.offered)
    if (!adapter) return { kind: 'UNREACHABLE' }
    return adapter.tokenize(values, checkout.send, checkout.time(), choice.offered)
  }
}
