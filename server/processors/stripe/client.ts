import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import about from '../../../package.json' with { type: 'json' }
import type { Log } from '../../observe/log.ts'
import { createKeySigns } from './key-signs.ts'

/** The version whose requests are also valid under Stripe's published description of 2024-04-10. */
const API_VERSION = '2026-08-26.dahlia'
/** Milliseconds for one request. */
const TIMEOUT_MS = 20_000
/** Milliseconds before a request is sent again with the same key. */
const RETRY_DELAYS_MS = [300, 1000]
const RETRY_AFTER_MAX_MS = 2000
const BODY_BYTES_MAX = 1_000_000

export interface StripeClientSettings {
  secretKey: string
  /** Origin of the API. */
  apiUrl: string
  /** A connected account that every call acts for. */
  account: string | undefined
  log: Pick<Log, 'info' | 'warn'>
  /** Called with whether Stripe accepts the key, for each answer that shows it. Must not throw. */
  onAuthentication: (accepted: boolean) => void | Promise<void>
  /** Milliseconds before a request is sent again; as many times as there are. */
  retryDelaysMs?: readonly number[]
}

export interface CallOptions {
  /** Required for every POST: the same key acts once. */
  key?: string
  signal?: AbortSignal | undefined
}

/** Stripe's answer that it did not do what was asked. Nothing changed. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly error: StripeErrorBody

  constructor(status: number, error: StripeErrorBody) {
    super(error.message ?? 'Stripe refused the request')
    this.name = 'Refused'
    this.status = status
    this.code = error.code ?? ''
    this.error = error
  }
}

export interface StripeErrorBody {
  type?: string
  code?: string
  decline_code?: string
  advice_code?: string
  message?: string
  param?: string
}

export type StripeClient = ReturnType<typeof createStripeClient>

/**
 * Wraps the official SDK, whose own repeats and telemetry are off, in one policy: a request without a
 * clear answer is sent again with its key, at most twice. Then the call throws, and the outcome is
 * unknown. A clear refusal throws Refused.
 */
export function createStripeClient(settings: StripeClientSettings) {
  const { retryDelaysMs = RETRY_DELAYS_MS } = settings
  const readKeySign = createKeySigns(settings.onAuthentication)
  const { protocol, hostname, port } = new URL(settings.apiUrl)
  const stripe = new Stripe(settings.secretKey, {
    apiVersion: API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: 'Checkstand', version: about.version },
    httpClient: Stripe.createFetchHttpClient(limitedFetch),
    ...(settings.account !== undefined && { stripeAccount: settings.account }),
  })

  /** `name` names the call in the log, and for what its answer shows about the key. */
  async function call<T>(
    name: string,
    request: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>,
    { key, signal }: CallOptions = {},
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted()
      const startedAt = performance.now()
      try {
        const answer = await request(stripe, key === undefined ? {} : { idempotencyKey: key })
        await readKeySign(name, { status: 200, code: '' })
        return answer
      } catch (error) {
        const failure = readFailure(error)
        settings.log.info(
          {
            route: name,
            status: failure.status,
            request: failure.requestId,
            ms: Math.round(performance.now() - startedAt),
          },
          'a call to Stripe failed',
        )
        if (failure.thrown instanceof Refused) await readKeySign(name, failure.thrown)
        const delay = retryDelaysMs[attempt]
        if (!failure.repeatable || delay === undefined) throw failure.thrown
        await sleep(failure.retryAfterMs ?? delay, undefined, { signal })
      }
    }
  }

  return { call }
}

interface Failure {
  /** HTTP status; undefined without an answer. */
  status: number | undefined
  requestId: string | undefined
  repeatable: boolean
  retryAfterMs: number | undefined
  thrown: Error
}

function readFailure(error: unknown): Failure {
  if (!(error instanceof Stripe.errors.StripeError)) {
    const thrown = error instanceof Error ? error : new Error(String(error))
    return {
      status: undefined,
      requestId: undefined,
      repeatable: false,
      retryAfterMs: undefined,
      thrown,
    }
  }
  const { statusCode: status, headers, requestId } = error
  const body = errorBody(error)
  const isRefusal =
    status !== undefined &&
    status >= 400 &&
    status < 500 &&
    status !== 409 &&
    status !== 429 &&
    body.type !== undefined
  const seconds = Number(headers?.['retry-after'])
  return {
    status,
    requestId,
    repeatable: !isRefusal && headers?.['stripe-should-retry'] !== 'false',
    retryAfterMs: seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_MAX_MS) : undefined,
    thrown: isRefusal
      ? new Refused(status, body)
      : new Error(`Stripe gave no clear answer (${error.type})`, { cause: error.code }),
  }
}

/** Secret keys and client secrets, which a message may quote. */
const SECRETS = /\b(?:[sr]k_(?:test|live)_|whsec_)[\w*]+|\b(?:pi|seti)_\w+_secret_\w+/g

/** Only the members that are used: the error also holds the intent with its client secret. */
function errorBody(error: InstanceType<typeof Stripe.errors.StripeError>): StripeErrorBody {
  const { rawType, code, decline_code, advice_code, param } = error
  const message = error.message.replaceAll(SECRETS, '…')
  return JSON.parse(
    JSON.stringify({ type: rawType, code, decline_code, advice_code, message, param }),
  )
}

/**
 * `fetch` without redirects, which could lead the key elsewhere, and with a limit of the body. Throws for
 * an answer that is not Stripe's, such as a proxy's: the SDK takes every JSON without an error for a
 * success, whatever its status is.
 */
const limitedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > BODY_BYTES_MAX) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  const { ok, status, headers } = response
  const body = Buffer.concat(chunks)
  if (!isAnswer(body, ok)) throw new Error(`the answer with the status ${status} is not Stripe's`)
  return new Response(body, { status, headers })
}

/** Stripe answers with an object that names its type, or with an error. */
function isAnswer(body: Buffer, ok: boolean): boolean {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'))
    if (typeof answer !== 'object' || answer === null) return false
    const { object, error } = answer as Record<string, unknown>
    return ok
      ? typeof object === 'string' && error === undefined
      : typeof error === 'object' && error !== null
  } catch {
    return false
  }
}
