import type { Fields } from '../criteria/fields.ts'
import { EVENT_TYPES } from '../events/event-types.ts'

export const WEBHOOK_FILTERS: Fields = {
  id: { type: 'id', column: 'webhook_endpoints.id', notNull: true },
  url: { type: 'text', column: 'webhook_endpoints.url', lower: 'webhook_endpoints.url_lower' },
  description: {
    type: 'text',
    column: 'webhook_endpoints.description',
    lower: 'webhook_endpoints.description_lower',
  },
  enabled: { type: 'flag', column: 'webhook_endpoints.enabled', notNull: true },
  failing_since: { type: 'date', column: 'webhook_endpoints.failing_since' },
  created: { type: 'date', column: 'webhook_endpoints.created', notNull: true },
  updated: { type: 'date', column: 'webhook_endpoints.updated', notNull: true },
}

export const DELIVERY_FILTERS: Fields = {
  id: { type: 'id', column: 'deliveries.id', notNull: true },
  event: { type: 'id', column: 'deliveries.event_id', notNull: true },
  type: { type: 'enum', column: 'events.type', values: EVENT_TYPES, notNull: true },
  status: {
    type: 'enum',
    column: 'deliveries.status',
    values: ['WAITING', 'DELIVERED', 'FAILED'],
    notNull: true,
  },
  instance_webhook: { type: 'id', column: 'deliveries.endpoint_id', notNull: true },
  response_status: { type: 'amount', column: 'deliveries.response_status', decimals: 0 },
  last_attempt: { type: 'date', column: 'deliveries.last_attempt' },
  next_attempt: { type: 'date', column: 'deliveries.next_attempt' },
  delivered: { type: 'date', column: 'deliveries.delivered' },
  created: { type: 'date', column: 'deliveries.created', notNull: true },
  updated: { type: 'date', column: 'deliveries.updated', notNull: true },
}
