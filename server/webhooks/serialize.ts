import type { DeliveryRow } from '../db/tables/webhooks.ts'
import type { Delivery, InstanceWebhook } from '../../shared/schemas/webhook.ts'
import type { WebhookRow } from './store.ts'

/** Leaves out the secret. */
export function serializeWebhook(row: WebhookRow): InstanceWebhook {
  return {
    id: row.id,
    url: row.url,
    events: patternsOf(row),
    enabled: row.enabled === 1,
    description: row.description,
    failing_since: row.failing_since,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}

/** For the response that creates or rotates the secret. */
export function serializeWebhookWithSecret(row: WebhookRow): InstanceWebhook {
  return { ...serializeWebhook(row), secret: row.secret }
}

export function patternsOf(row: Pick<WebhookRow, 'events'>): string[] {
  return JSON.parse(row.events) as string[]
}

/** `type` is the type of the event. */
export function serializeDelivery(row: DeliveryRow & { type: string }): Delivery {
  return {
    id: row.id,
    event: row.event_id,
    type: row.type,
    instance_webhook: row.endpoint_id,
    status: row.status,
    attempts: row.attempts,
    last_attempt: row.last_attempt,
    next_attempt: row.next_attempt,
    response_status: row.response_status,
    error: row.error,
    delivered: row.delivered,
    created: row.created,
    updated: row.updated,
  }
}
