import type { Call } from '../app.ts'
import type { Keys, Names } from './names.ts'

/**
 * The requests that a tenant sends under its `Idempotency-Key`, one for each way in which keys are
 * kept. The same tenant gets a replay for the same key; any other sender must not.
 */
export function keyedRequests(names: Keys & Partial<Names>) {
  const url = `https://${names.branding}.example/hooks`
  return {
    '/accounts': { account: { crm_key: names.onceKey } },
    '/payment_links': { payment_link: { options: { alt_key: names.onceKey } } },
    '/deep_links': { deep_link: { action: 'PAY', options: { alt_key: names.onceKey } } },
    '/strings': { strings: [{ id: 'methods.title', text: names.onceKey }] },
    '/instance_webhooks': { instance_webhook: { url, events: ['payment.*'] } },
    '/payments': { payment: { amount: '3.00', payment_method: names.method } },
    '/payments/:authorisation/capture': { capture: { amount: '10.00' } },
    '/payments/:sale/refund': { refund: { amount: '1.00', reference: names.refundReference } },
    '/payments/:released/void': {},
    '/instance_webhooks/:webhook/rotate': {},
    '/instance_webhooks/:webhook/replay': { replay: { type: 'account.*' } },
  }
}

/** What a request needs to be recognized as a repeat. */
export function keyed({ requestKey }: Keys): Call {
  return { headers: { 'idempotency-key': requestKey } }
}
