import type Stripe from 'stripe'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'

/** What events tell of saved methods. */
export interface RemovedMethods {
  /** The customers of detached methods, by the method's id. */
  detached: Map<string, string>
  /** Ids of mandates that changed. */
  mandates: Set<string>
}

export const nothingRemoved = (): RemovedMethods => ({ detached: new Map(), mandates: new Set() })

/** Adds what an event tells of a saved method. */
export function addRemoved(
  { detached, mandates }: RemovedMethods,
  { type, data }: Pick<Stripe.Event, 'type' | 'data'>,
): void {
  const { id } = data.object as { id?: string }
  if (id === undefined) return
  if (type === 'mandate.updated') mandates.add(id)
  if (type !== 'payment_method.detached') return
  const { customer } = (data.previous_attributes ?? {}) as { customer?: unknown }
  if (typeof customer === 'string') detached.set(id, customer)
}

/**
 * Returns the tokens of methods that cannot be charged any more: a detached method cannot be attached
 * again, and a mandate that is inactive stays so.
 */
export async function readRemoved(
  context: StripeContext,
  { detached, mandates }: RemovedMethods,
): Promise<string[]> {
  const tokens = [...detached].map(([id, customer]) => `${customer}:${id}`)
  for (const id of mandates) {
    const token = await readEnded(context, id)
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

/** Returns the token of the method whose mandate has ended; undefined while it can be charged. */
async function readEnded({ client }: StripeContext, id: string): Promise<string | undefined> {
  try {
    const { status, payment_method } = await client.call('read mandate', (stripe, options) =>
      stripe.mandates.retrieve(id, {}, options),
    )
    if (status !== 'inactive') return undefined
    const methodId = typeof payment_method === 'string' ? payment_method : payment_method.id
    const { customer } = await client.call('read payment method', (stripe, options) =>
      stripe.paymentMethods.retrieve(methodId, {}, options),
    )
    if (customer === null) return undefined
    return `${typeof customer === 'string' ? customer : customer.id}:${methodId}`
  } catch (error) {
    // A restricted key may not read it; disputes are told without it.
    if (error instanceof Refused) return undefined
    throw error
  }
}
