import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** Returns `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

/**
 * Returns the signature headers of Standard Webhooks. Each secret signs `id.timestamp.body`. `now`
 * is epoch milliseconds.
 */
export function signatureHeaders(
  message: { id: string; now: number; body: Uint8Array },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.now / 1000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    hmac.update(`${message.id}.${timestamp}.`).update(message.body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
