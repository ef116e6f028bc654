import type { Stripe, StripeError } from '@stripe/stripe-js'
import type { FramedProcessor } from '../../../shared/page-model.ts'
import { chunk } from '../chunks.ts'
import type { FieldErrors, FieldValues } from '../fields.ts'
import type { MethodAdapter, Tokenized } from './method-adapter.ts'

const TOKEN_MS = 15_000
const EMAIL_INVALID: FieldErrors = { email: { id: 'details.email_invalid' } }

let processor: FramedProcessor | undefined
let stripe: Promise<Stripe> | undefined

/** Loads the processor's script while the payer types, so that a press of the pay button is quick. */
export function prepareDebit(given: FramedProcessor | undefined): void {
  if (given !== processor) stripe = undefined
  processor = given
  // A press of the pay button tries again.
  load().catch(() => {})
}

function load(): Promise<Stripe> {
  stripe ??= create().catch((error: unknown) => {
    chunk('framed-card')?.forgetStripe()
    stripe = undefined
    throw error
  })
  return stripe
}

async function create(): Promise<Stripe> {
  const load = chunk('framed-card')?.loadStripe
  if (!load || !processor) throw new Error()
  const Stripe = await load(processor.script)
  return Stripe(
    processor.key,
    processor.account === undefined ? {} : { stripeAccount: processor.account },
  )
}

/** SEPA direct debit of Stripe. The IBAN goes from the browser to Stripe and nowhere else. */
export const STRIPE_DEBIT: MethodAdapter = {
  validate: (values, now, offered) => ({
    ...chunk('pay')?.adapter('DIRECT_DEBIT')?.validate(values, now, offered),
    ...(chunk('pay')?.looksLikeEmail(values.email.trim()) ? {} : EMAIL_INVALID),
  }),

  async tokenize(values, _send, _now, offered): Promise<Tokenized> {
    const outcome = await inTime(exchange(values))
    if (!outcome) return { kind: 'UNREACHABLE' }
    if ('error' in outcome && outcome.error) return refusal(outcome.error)
    const token = outcome.paymentMethod?.id
    if (token === undefined) return { kind: 'UNREACHABLE' }
    return {
      kind: 'READY',
      method: { type: 'DIRECT_DEBIT', processor: offered.processor, token },
    }
  },
}

async function exchange(values: FieldValues) {
  const stripe = await load()
  // The chunk is loaded with the fields of a direct debit.
  const iban = chunk('pay')!.ibanOf(values.iban)
  return stripe.createPaymentMethod({
    type: 'sepa_debit',
    sepa_debit: { iban },
    billing_details: { name: values.holder.trim(), email: values.email.trim() },
  })
}

/** Resolves to undefined when the exchange fails or takes too long. Nothing is charged by it. */
function inTime<T>(exchanged: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, TOKEN_MS)
    exchanged.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}

/** A fault of Stripe or of the connection is nothing that the payer entered. */
function refusal({ type, code = '', param = '' }: StripeError): Tokenized {
  if (!/^(validation|invalid_request)_error$/.test(type)) return { kind: 'UNREACHABLE' }
  if (/email/.test(code + param)) {
    return { kind: 'REFUSED', errors: EMAIL_INVALID }
  }
  return { kind: 'REFUSED', errors: { iban: { id: 'methods.iban_invalid' } } }
}
