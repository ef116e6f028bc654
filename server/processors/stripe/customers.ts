import type { PaymentOperation } from '../port.ts'
import { Refused, type StripeErrorBody } from './client.ts'
import type { StripeContext } from './context.ts'
import { storedMethod } from './intent-params.ts'

type Keeping = Pick<PaymentOperation, 'operation' | 'payer' | 'signal'>

/**
 * Makes an intent whose method a customer keeps: an account that has kept a method before keeps the next
 * one at the same customer. `create` gets the customer and the idempotency key.
 */
export async function createAtCustomer<R>(
  context: StripeContext,
  order: Keeping,
  create: (customer: string, key: string) => Promise<R>,
): Promise<R> {
  const { operation, payer } = order
  if (payer.saved_token === null) return create(await createCustomer(context, order), operation)
  try {
    return await create(storedMethod(payer.saved_token).customer, operation)
  } catch (error) {
    if (!(error instanceof Refused) || !isCustomerMissing(error.error)) throw error
    // It was deleted at Stripe. The refused key made no intent, and takes no other parameters.
    return create(await createCustomer(context, order), `${operation}:again`)
  }
}

export function isCustomerMissing({ code, param }: StripeErrorBody): boolean {
  return code === 'resource_missing' && param === 'customer'
}

async function createCustomer(
  { client }: StripeContext,
  { operation, payer, signal }: Keeping,
): Promise<string> {
  const params = {
    ...(payer.name !== null && { name: payer.name }),
    ...(payer.email !== null && { email: payer.email }),
    ...(payer.account !== null && { metadata: { account: payer.account } }),
  }
  const made = await client.call(
    'create customer',
    (stripe, options) => stripe.customers.create(params, options),
    { key: `${operation}:customer`, signal },
  )
  return made.id
}
