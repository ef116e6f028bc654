import { Stripe } from 'stripe'
import type { ApiResponse, Client } from '../client.ts'
import { eventAnswer } from './answers.ts'
import type { Event } from './objects.ts'

export const WEBHOOK_SECRET = `whsec_${'canary'.repeat(5)}`

/** A notification as Stripe sends it. */
export interface Notice {
  body: string
  /** `Stripe-Signature`. */
  signature: string
}

/** Signs a body as Stripe does. `at` is in epoch milliseconds. */
export function sign(body: string, at: number, secret: string = WEBHOOK_SECRET): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: Math.floor(at / 1000),
  })
}

export function noticeOf(event: Event, at: number, secret?: string): Notice {
  const body = JSON.stringify(eventAnswer(event))
  return { body, signature: sign(body, at, secret) }
}

/** Sends a notification to the server under test. */
export function deliver(
  { call }: Client,
  connection: string,
  { body, signature }: Notice,
): Promise<ApiResponse> {
  return call(`/processors/stripe/webhooks/${connection}`, {
    method: 'POST',
    raw: body,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  })
}
