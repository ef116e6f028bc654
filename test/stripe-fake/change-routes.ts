import { balanceAnswer, chargeAnswer, disputeAnswer, eventAnswer, refundAnswer } from './answers.ts'
import type { FakeClock } from './events.ts'
import type { Account } from './objects.ts'
import { createRefund } from './refunds.ts'
import { expandOf, list, missing, newest } from './route-parts.ts'
import type { RouteTable } from './route-table.ts'

/** What happens after a payment: refunds, disputes, bookings and events. */
export function changeRoutes(account: Account, clock: FakeClock): RouteTable {
  return [
    ['post', '/v1/refunds', ({ body }) => refundAnswer(createRefund(account, clock, body))],
    [
      'get',
      '/v1/refunds',
      ({ query }) =>
        list(
          '/v1/refunds',
          newest(account.refunds)
            .filter(({ payment_intent }) => payment_intent === query.get('payment_intent'))
            .map(refundAnswer),
          query,
        ),
    ],
    [
      'get',
      '/v1/refunds/{refund}',
      ({ path }) => {
        const refund = account.refunds.get(path['refund'] ?? '')
        if (!refund) throw missing('refund', path['refund'] ?? '')
        return refundAnswer(refund)
      },
    ],
    [
      'get',
      '/v1/disputes/{dispute}',
      (call) => {
        const id = call.path['dispute'] ?? ''
        const dispute = account.disputes.get(id)
        if (!dispute) throw missing('dispute', id)
        return disputeAnswer(account, dispute, expandOf(call))
      },
    ],
    [
      'get',
      '/v1/balance_transactions',
      (call) => {
        const isExpanded = expandOf(call).includes('data.source')
        const booked = newest(account.charges)
          .filter(({ balance_transaction }) => balance_transaction !== null)
          .map((charge) =>
            balanceAnswer(charge, isExpanded ? chargeAnswer(account, charge, false) : charge.id),
          )
        return list('/v1/balance_transactions', booked, call.query)
      },
    ],
    [
      'get',
      '/v1/events',
      ({ query }) => {
        const types = [...query]
          .filter(([name]) => name.startsWith('types['))
          .map(([, type]) => type)
        const events = account.events
          .filter(({ type }) => types.length === 0 || types.includes(type))
          .map(eventAnswer)
        return list('/v1/events', events, query)
      },
    ],
  ]
}
