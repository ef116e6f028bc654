import { createHash } from 'node:crypto'
import type { FollowUpOperation, PaymentOperation, SetupOperation } from '../port.ts'
import { isCardNumber, withoutSpaces } from './test-cards.ts'

/**
 * Returns a hash that distinguishes a repeated operation from a reused key. Leaves out the security code,
 * of which no hash may be stored, and the return URL, which may differ between servers.
 */
export function hashContent(
  kind: string,
  order: PaymentOperation | FollowUpOperation | SetupOperation,
): string {
  const [amount, currency] = 'amount' in order ? [order.amount, order.currency] : []
  const rest =
    'method' in order
      ? [
          order.method.kind,
          order.method.type,
          order.method.token ?? null,
          'store' in order ? order.store : true,
        ]
      : [order.reference]
  return createHash('sha256')
    .update(JSON.stringify([kind, amount, currency, ...rest]))
    .digest('hex')
}

/** Returns an error message for an invalid key, amount or currency. */
export function amountError(order: {
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

/** Returns an error message for an invalid payment or authorization. */
export function paymentRequestError(order: PaymentOperation): string | undefined {
  return methodError(order) ?? amountError(order)
}

/** Returns an error message for a set-up that is invalid. */
export function setupRequestError(order: SetupOperation): string | undefined {
  if (order.operation === '') return 'The operation key is empty.'
  if (order.method.type === 'BANK_TRANSFER') return 'BANK_TRANSFER cannot be stored.'
  return methodError(order)
}

function methodError(order: PaymentOperation | SetupOperation): string | undefined {
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
  return undefined
}
