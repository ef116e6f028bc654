import { type CheckstandEvent, type EventType, secretKeyBytes, sign } from './webhooks.ts'

/** A request as the server sends it. */
export interface SignedRequest {
  body: string
  headers: Record<string, string>
}

/** A secret for tests. */
export const TEST_SECRET = 'whsec_dGVzdCBzZWNyZXQgb2YgYSB3ZWJob29rIQ=='

/**
 * Makes an event, for tests of what receives it. `data` is what it is about, such as `{ payment_link }`; members
 * that the test does not read can be left out.
 */
export function sampleEvent<Type extends EventType>(
  type: Type,
  data: Readonly<Record<string, object>>,
  {
    id = `evt_${Date.now()}_0000000000000000`,
    now = Date.now(),
  }: { id?: string; now?: number } = {},
): CheckstandEvent<Type> {
  const created = new Date(now).toISOString()
  return { id, type, created, instance: 'default', v: 1, data } as unknown as CheckstandEvent<Type>
}

/** Signs an event as the server does. Throws a WebhookVerificationError for a secret in another form. */
export async function signEvent(
  event: CheckstandEvent,
  { secret = TEST_SECRET, now = Date.now() }: { secret?: string; now?: number } = {},
): Promise<SignedRequest> {
  const body = JSON.stringify({ event })
  const timestamp = String(Math.floor(now / 1000))
  const signature = await sign(secretKeyBytes(secret), `${event.id}.${timestamp}.${body}`)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  }
}
