import { type FakeClock, newStripeId } from './events.ts'
import { text } from './form.ts'
import type { Account } from './objects.ts'
import { missing } from './route-parts.ts'
import type { RouteTable } from './route-table.ts'

export function accountRoutes(account: Account, clock: FakeClock): RouteTable {
  return [
    ['get', '/v1/account', () => ({ object: 'account', id: 'acct_1Fake', type: 'standard' })],
    [
      'post',
      '/v1/webhook_endpoints',
      ({ body }) => {
        const endpoint = {
          id: newStripeId('we'),
          url: text(body['url']) ?? '',
          secret: newStripeId('whsec'),
          enabled_events: body['enabled_events'] as string[],
          created: Math.floor(clock.now() / 1000),
          metadata: (body['metadata'] ?? {}) as Record<string, string>,
        }
        account.endpoints.set(endpoint.id, endpoint)
        return {
          object: 'webhook_endpoint',
          ...endpoint,
          api_version: null,
          application: null,
          description: null,
          livemode: clock.livemode,
          status: 'enabled',
        }
      },
    ],
    [
      'delete',
      '/v1/webhook_endpoints/{webhook_endpoint}',
      ({ path }) => {
        const id = path['webhook_endpoint'] ?? ''
        if (!account.endpoints.delete(id)) throw missing('webhook endpoint', id)
        return { object: 'webhook_endpoint', id, deleted: true }
      },
    ],
  ]
}
