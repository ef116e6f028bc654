import { ApiFailure } from './api-failure.ts'
import { mandateAnswer, methodAnswer } from './answers.ts'
import { TEST_METHODS } from './cards.ts'
import { type FakeClock, newStripeId } from './events.ts'
import { text } from './form.ts'
import { createMethod, detachMethod } from './methods.ts'
import type { Account, Method } from './objects.ts'
import { missing } from './route-parts.ts'
import type { RouteTable } from './route-table.ts'

/** Customers, what they pay with, and what they allow. */
export function methodRoutes(account: Account, clock: FakeClock): RouteTable {
  const methodOf = (path: Record<string, string>): Method => {
    const id = path['payment_method'] ?? ''
    const method = account.methods.get(id)
    if (!method) throw missing('PaymentMethod', id)
    return method
  }
  return [
    [
      'post',
      '/v1/customers',
      ({ body }) => {
        const customer = {
          id: newStripeId('cus'),
          created: Math.floor(clock.now() / 1000),
          name: (body['name'] as string | undefined) ?? null,
          email: (body['email'] as string | undefined) ?? null,
        }
        account.customers.set(customer.id, customer)
        return { object: 'customer', livemode: clock.livemode, default_source: null, ...customer }
      },
    ],
    [
      'post',
      '/v1/payment_methods',
      ({ body }) => {
        const card = (body['card'] ?? {}) as Record<string, string>
        const debit = (body['sepa_debit'] ?? {}) as Record<string, string>
        const person = (body['billing_details'] ?? {}) as Record<string, string>
        const lacking = ['name', 'email'].find((member) => !person[member])
        if (body['type'] === 'sepa_debit' && lacking !== undefined) {
          throw new ApiFailure(400, {
            code: 'parameter_missing',
            param: `billing_details[${lacking}]`,
            message: 'A direct debit requires a name and an email address.',
          })
        }
        return methodAnswer(
          createMethod(account, clock, text(body['type']) ?? '', {
            number: card['number'] ?? debit['iban'] ?? '',
            csc: card['cvc'] ?? null,
            billing_details: person,
          }),
        )
      },
    ],
    [
      'post',
      '/v1/tokens',
      ({ body }) => {
        const id = newStripeId('cvctok')
        const { cvc = '' } = (body['cvc_update'] ?? {}) as Record<string, string>
        account.cscTokens.set(id, cvc)
        const created = Math.floor(clock.now() / 1000)
        const { livemode } = clock
        return { id, object: 'token', type: 'cvc_update', created, livemode, used: false }
      },
    ],
    [
      'get',
      '/v1/payment_methods/{payment_method}',
      ({ path }) => {
        // Each read of one makes a new method.
        const number = TEST_METHODS[path['payment_method'] ?? '']
        if (number === undefined) return methodAnswer(methodOf(path))
        const card = { number, csc: null, billing_details: {} }
        return methodAnswer(createMethod(account, clock, 'card', card))
      },
    ],
    [
      'post',
      '/v1/payment_methods/{payment_method}/detach',
      ({ path }) => {
        const method = methodOf(path)
        detachMethod(account, clock, method)
        return methodAnswer(method)
      },
    ],
    [
      'get',
      '/v1/mandates/{mandate}',
      ({ path }) => {
        const mandate = account.mandates.get(path['mandate'] ?? '')
        if (!mandate) throw missing('mandate', path['mandate'] ?? '')
        return mandateAnswer(mandate)
      },
    ],
  ]
}
