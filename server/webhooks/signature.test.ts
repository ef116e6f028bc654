import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { newWebhookSecret, signatureHeaders } from './signature.ts'

it('signs any message like the Standard Webhooks library', () => {
  const id = fc.stringMatching(/^evt_[0-9]{13}_[0-9a-z]{16}$/)
  const now = fc.integer({ min: 0, max: 4_000_000_000_000 })
  fc.assert(
    fc.property(id, now, fc.json(), (id, now, text) => {
      const secret = newWebhookSecret()
      const headers = signatureHeaders({ id, now, body: Buffer.from(text) }, [secret])
      expect(headers).toEqual({
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, new Date(now), text),
      })
    }),
  )
})

it('creates distinct secrets of 32 bytes', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
  expect(new Set(secrets).size).toBe(100)
})
