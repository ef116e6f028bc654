import type { SubmittedMethod } from '../../shared/page-model.ts'
import { createPaymentFlow, type Submission } from './payment-flow.ts'
import type { PageContext } from './page-context.ts'
import { digitsOf } from './methods/card-number.ts'
import { methodFace } from './methods/registry.ts'
import type { Prepared } from './methods/method-adapter.ts'
import { inOrder } from './fields.ts'
import { recordProgress } from './record-progress.ts'
import { checkForm, fieldOfMember, submissionOf } from './form-input.ts'

/**
 * The payer pressed Pay: says what is missing, or turns the typed details into a token and pays
 * with it (contract section 7.3).
 */
export async function submitPayment({
  checkout,
  form,
}: Pick<PageContext, 'checkout' | 'form'>): Promise<void> {
  if (checkout.phase.value !== 'editing') return
  const paying = createPaymentFlow(checkout.paying)
  const seen = checkout.checkout.value
  const errors = checkForm(form, seen, checkout.time())
  form.errors.value = errors
  const wrong = inOrder(errors)
  if (wrong.length > 0) return paying.toFields(wrong.length)
  if (form.choice.value === undefined) return
  recordProgress(checkout, form.read())
  await paying.pay(async (): Promise<Submission | 'LOST' | null> => {
    const prepared = await prepare()
    if (prepared.kind === 'LOST') return 'LOST'
    if (prepared.kind === 'REFUSED') {
      form.errors.value = prepared.errors
      return null
    }
    return submissionOf(form, seen, prepared.method)
  })
  const refused = fieldOfMember(checkout.refusedMember.value)
  if (refused !== undefined) form.setError(refused, { id: 'errors.check_field' })

  function prepare(): Promise<Prepared> {
    const { offered, saved } = form.choice.value ?? {}
    const values = form.read()
    if (offered) {
      const half = methodFace(offered)?.half()
      return half
        ? half.prepare(values, checkout.ask, checkout.time())
        : Promise.resolve({ kind: 'LOST' })
    }
    const csc = digitsOf(values.saved_csc)
    const method: SubmittedMethod = { id: saved?.id ?? '', ...(csc === '' ? {} : { csc }) }
    return Promise.resolve({ kind: 'READY', method })
  }
}
