import { ApiFailure } from './api-failure.ts'
import { methodAnswer } from './answers.ts'
import { TEST_METHODS } from './cards.ts'
import { emit, type FakeClock, newStripeId, seconds } from './events.ts'
import type { Account, Method } from './objects.ts'

/** Payment methods, and which of them can be charged. */

export function createMethod(
  account: Account,
  clock: FakeClock,
  type: string,
  given: Partial<Method> = {},
): Method {
  const method: Method = {
    id: newStripeId('pm'),
    type,
    created: seconds(clock),
    number: '4242424242424242',
    customer: null,
    exp_month: 12,
    exp_year: 2099,
    csc: null,
    billing_details: {},
    spent: false,
    isSetUp: false,
    ...given,
  }
  account.methods.set(method.id, method)
  return method
}

/** Test ids make a new method each time, as Stripe's do. */
export function usableMethod(
  account: Account,
  clock: FakeClock,
  id: string,
  customer: string | undefined,
): Method {
  const number = TEST_METHODS[id]
  if (number !== undefined) return createMethod(account, clock, 'card', { number })
  const method = account.methods.get(id)
  if (!method) {
    throw new ApiFailure(404, {
      code: 'resource_missing',
      param: 'payment_method',
      message: `No such PaymentMethod: '${id}'`,
    })
  }
  if (method.spent) {
    throw new ApiFailure(400, {
      message: 'The provided PaymentMethod was used before. It may not be used again.',
    })
  }
  if (method.customer !== null && method.customer !== customer) {
    throw new ApiFailure(400, {
      message: 'The provided PaymentMethod belongs to a Customer, which must be given too.',
    })
  }
  return method
}

/** Takes a method from its customer. It can never be charged again. */
export function detachMethod(account: Account, clock: FakeClock, method: Method): void {
  const { customer } = method
  if (customer === null) throw new ApiFailure(400, { message: 'The method is not attached.' })
  method.customer = null
  method.spent = true
  emit(account, clock, 'payment_method.detached', methodAnswer(method), { customer })
}
