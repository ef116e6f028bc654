import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { StripeFake } from './start.ts'

/** A request on its way to a fake, which a network can hold back, repeat or lose. */
export interface WireRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export async function readWireRequest(request: IncomingMessage): Promise<WireRequest> {
  const { method = 'GET', url = '/', headers } = request
  return { method, url, headers, body: await text(request) }
}

/** Has a fake act on a request. Throws when the fake gives no answer. */
export async function deliverRequest(
  { url: origin }: Pick<StripeFake, 'url'>,
  { method, url, headers, body }: WireRequest,
): Promise<{ status: number; text: string }> {
  const { authorization = '', 'idempotency-key': key } = headers
  const response = await fetch(`${origin}${url}`, {
    method,
    headers: {
      authorization,
      'stripe-version': String(headers['stripe-version']),
      ...(typeof key === 'string' && { 'idempotency-key': key }),
    },
    ...(method === 'POST' && { body }),
  })
  return { status: response.status, text: await response.text() }
}

const CANCELLATION = /^\/v1\/payment_intents\/(\w+)\/cancel$/

/** Returns the intent that a request has canceled, with the key of the request. */
export function canceledIntent(
  { url, headers }: WireRequest,
  status: number,
): [intent: string, key: string] | undefined {
  const intent = CANCELLATION.exec(url)?.[1]
  const key = headers['idempotency-key']
  const isDone = status === 200 && typeof key === 'string'
  return isDone && intent !== undefined ? [intent, key] : undefined
}
