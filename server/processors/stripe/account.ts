import type Stripe from 'stripe'
import { type AccountAccess, type AccountApi, KeyRefused, NotPermitted } from '../adapter.ts'
import { createStripeClient, Refused, type StripeClient } from './client.ts'
import { refusesKey } from './key-signs.ts'
import { stripeSettings } from './settings.ts'

type Call = Parameters<StripeClient['call']>

/** Asks Stripe about the account of a key that may not be stored yet. */
export const stripeAccount: AccountApi = {
  async readAccount(access) {
    const { id } = await ask(access, 'read account', (stripe, options) =>
      stripe.accounts.retrieveCurrent({}, options),
    )
    return id
  },
  async createWebhook(access, { url, types, connection, key }) {
    const params: Stripe.WebhookEndpointCreateParams = {
      url,
      enabled_events: [...types] as Stripe.WebhookEndpointCreateParams['enabled_events'],
      metadata: { checkstand: connection },
    }
    const { id, secret } = await ask(
      access,
      'create webhook endpoint',
      (stripe, options) => stripe.webhookEndpoints.create(params, options),
      key,
    )
    if (secret === undefined) throw new Error('Stripe returned no secret of the webhook endpoint')
    return { endpoint: id, secret }
  },
  async deleteWebhook(access, endpoint) {
    await ask(access, 'delete webhook endpoint', (stripe, options) =>
      stripe.webhookEndpoints.del(endpoint, {}, options),
    )
  },
}

async function ask<T>(
  { secretKey, settings, apiUrl, log, signal }: AccountAccess,
  name: Call[0],
  request: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>,
  key?: string,
): Promise<T> {
  const { account } = stripeSettings.parse(settings)
  const onAuthentication = async () => {}
  const client = createStripeClient({ secretKey, apiUrl, account, log, onAuthentication })
  try {
    return await client.call(name, request, { signal, ...(key !== undefined && { key }) })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The cause is left out: Stripe's message repeats the end of the key.
    if (refusesKey(error)) throw new KeyRefused('Stripe does not accept the key')
    throw new NotPermitted(`Stripe refused with status ${error.status}`)
  }
}
