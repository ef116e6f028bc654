import { createHash } from 'node:crypto'
import type { FollowUpOperation, TakeOperation } from '../port.ts'
import { isCardNumber, withoutSpaces } from './numbers.ts'

/** What an operation must look like before the gateway takes it in, and how it is recognised. */

/**
 * A hash of what an operation asks for, to tell a repeated key from a reused one. The security
 * code is left out, because not even a hash of it may be kept; so is the way back, which may be
 * written differently by another server of the same shop and moves no money.
 */
export function hashOf(kind: string, order: TakeOperation | FollowUpOperation): string {
  const { amount, currency } = order
  const rest =
    'method' in order
      ? [order.method.kind, order.method.type, order.method.token ?? null, order.store]
      : [order.reference]
  return createHash('sha256')
    .update(JSON.stringify([kind, amount, currency, ...rest]))
    .digest('hex')
}

/** Why the gateway refuses an operation's key, amount or currency, or undefined. */
export function complaintAboutMoney(order: {
  operation: string
  amount: number
  currency: string
}): string | undefined {
  if (order.operation === '') return 'The operation key is empty.'
  if (!Number.isSafeInteger(order.amount) || order.amount <= 0) {
    return 'The amount must be a positive whole number of minor units.'
  }
  if (!/^[A-Z]{3}$/.test(order.currency)) return 'The currency must be three capital letters.'
  return undefined
}

/** Why the gateway refuses a payment or authorisation before it looks at the method, or undefined. */
export function complaintAboutTake(order: TakeOperation): string | undefined {
  const { type, kind, token } = order.method
  if (type === 'BANK_TRANSFER') {
    if (kind === 'STORED') return 'BANK_TRANSFER cannot be stored.'
    if (token !== undefined) return 'BANK_TRANSFER takes no token.'
  } else if (type === 'CARD' || type === 'DIRECT_DEBIT') {
    if (token === undefined || token === '') return `${type} needs a token.`
    if (isCardNumber(withoutSpaces(token))) return 'The token is a card number, not a token.'
  } else {
    return 'The sandbox does not know this type of method.'
  }
  return complaintAboutMoney(order)
}
