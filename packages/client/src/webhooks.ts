import type { webhooks } from './types.gen.ts'

type Payload<Type extends keyof webhooks> = webhooks[Type] extends {
  post: { requestBody: { content: { 'application/json': { event: infer Event } } } }
}
  ? Event
  : never

export type EventType = keyof webhooks
/** An event of a type; of any type without one. They are told apart by `type`. */
export type CheckstandEvent<Type extends EventType = EventType> = {
  [Each in Type]: Payload<Each>
}[Type]

/** Why a request is not taken for one of the server. */
export type VerificationReason =
  | 'PARSED_BODY'
  | 'SECRET_FORM'
  | 'NO_SIGNATURE'
  | 'OLD_TIMESTAMP'
  | 'EARLY_TIMESTAMP'
  | 'WRONG_SIGNATURE'

/** A request that is not verified. The message names the mistake and its remedy. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: VerificationReason

  constructor(reason: VerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}

type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The secret of a webhook; several while one is rotated. */
export type Secrets = string | readonly string[]

/** Seconds that a request may be older than the clock of this machine, or newer. */
const TOLERANCE_S = 300

/**
 * Returns the event of a request, which the server signed (Standard Webhooks). `body` is the body as it arrived.
 * Throws a WebhookVerificationError.
 */
export async function verify(
  body: string | Uint8Array,
  headers: HeaderSource,
  secrets: Secrets,
  {
    now = Date.now(),
    toleranceSeconds = TOLERANCE_S,
  }: { now?: number; toleranceSeconds?: number } = {},
): Promise<CheckstandEvent> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new WebhookVerificationError(
      'PARSED_BODY',
      'The body is parsed already. The signature covers its bytes: pass the text or the bytes as they arrived, with Express by `express.raw({ type: "application/json" })`',
    )
  }
  const keys = [secrets].flat().map(keyOf)
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signature) {
    throw new WebhookVerificationError(
      'NO_SIGNATURE',
      'The headers webhook-id, webhook-timestamp and webhook-signature are missing. A proxy may drop them, or somebody else sent the request',
    )
  }
  const age = now / 1000 - Number(timestamp)
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      age > 0 ? 'OLD_TIMESTAMP' : 'EARLY_TIMESTAMP',
      `webhook-timestamp ${timestamp} is more than ${toleranceSeconds} seconds ${age > 0 ? 'old' : 'ahead'}: an old request is sent again by somebody, or the clock of this machine is wrong`,
    )
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const given = signature.split(' ').filter((each) => each.startsWith('v1,'))
  for (const key of keys) {
    const expected = `v1,${await sign(key, `${id}.${timestamp}.${text}`)}`
    if (given.some((each) => isSame(each, expected)))
      return (JSON.parse(text) as { event: CheckstandEvent }).event
  }
  throw new WebhookVerificationError(
    'WRONG_SIGNATURE',
    'No signature matches. Either the secret is that of another webhook, or the body was changed on its way: it must be what arrived, byte for byte',
  )
}

/**
 * Whether a record of an event is newer than the one that is known, by `v`. Events are sent in parallel, so a later
 * one can arrive first.
 */
export function isNewer(record: { v: number }, known: { v: number } | undefined | null): boolean {
  return !known || record.v > known.v
}

/** What is done with events, by type, by kind (`payment_link.*`), or with all (`*`). */
export type Handlers = {
  readonly [Type in EventType]?: (event: CheckstandEvent<Type>) => unknown
} & { readonly [Kind in `${string}.*` | '*']?: (event: CheckstandEvent) => unknown }

export interface HandleOptions {
  secret: Secrets
  on: Handlers
  /** Told of requests that are refused, and of handlers that throw. */
  onError?: (error: unknown) => void
}

/**
 * Answers a request of the server, in frameworks that are made of `Request` and `Response`: 204 once the handlers
 * are done, 400 for a request that is not verified, and 500 when a handler throws, after which the event comes again.
 */
export async function handle(request: Request, options: HandleOptions): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const { status, text } = await answer(bytes, request.headers, options)
  return new Response(status === 204 ? null : text, { status })
}

interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body?: unknown
}

interface NodeResponse {
  statusCode: number
  end(text?: string): unknown
}

/**
 * Returns a handler for Express, and for Node's own server. It reads the body itself, or takes what
 * `express.raw()` has read.
 */
export function express(
  options: HandleOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const body = (request.body ?? (await readAll(request))) as Uint8Array
    const { status, text } = await answer(body, request.headers, options)
    response.statusCode = status
    response.end(text)
  }
}

async function answer(
  body: Uint8Array,
  headers: HeaderSource,
  { secret, on, onError }: HandleOptions,
): Promise<{ status: number; text: string }> {
  let event: CheckstandEvent
  try {
    event = await verify(body, headers, secret)
  } catch (error) {
    onError?.(error)
    if (!(error instanceof WebhookVerificationError))
      return { status: 500, text: 'The request cannot be verified' }
    // What is wrong with the set-up of this program is no news for whoever sent the request.
    const isOwn = error.reason === 'PARSED_BODY' || error.reason === 'SECRET_FORM'
    return isOwn ? { status: 500, text: error.reason } : { status: 400, text: error.reason }
  }
  try {
    const kind = event.type.replace(/[^.]+$/, '*')
    for (const name of new Set([event.type, kind, '*'])) {
      await (on as { [type: string]: ((event: CheckstandEvent) => unknown) | undefined })[name]?.(
        event,
      )
    }
    return { status: 204, text: '' }
  } catch (error) {
    onError?.(error)
    return { status: 500, text: 'A handler failed' }
  }
}

async function readAll(request: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of request) {
    parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : part)
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name]
  return typeof value === 'string' ? value : value?.[0]
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    if (!secret.startsWith('whsec_')) throw new Error('has no prefix')
    const bytes = atob(secret.slice('whsec_'.length))
    return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
  } catch {
    throw new WebhookVerificationError(
      'SECRET_FORM',
      'The secret is not that of a webhook: it begins with whsec_ and is shown once, when the webhook is made or its secret is rotated',
    )
  }
}

/** Returns the signature of a text in base64. */
export async function sign(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  // Node.js 18 has it in a module only.
  const { subtle } = globalThis.crypto ?? (await import('node:crypto')).webcrypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await subtle.importKey('raw', key, algorithm, false, ['sign'])
  const bytes = new Uint8Array(await subtle.sign('HMAC', imported, new TextEncoder().encode(text)))
  return btoa(String.fromCharCode(...bytes))
}

export { keyOf as secretKeyBytes }

/** Takes the same time wherever two texts differ. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
