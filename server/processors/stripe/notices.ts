import { Stripe } from 'stripe'
import { z } from 'zod'
import { NotAuthentic, type ProcessorNotice } from '../port.ts'
import { IS_DISPUTE, IS_FEE, IS_INTENT, IS_METHOD, IS_REFUND } from './notice-types.ts'

/** Seconds between the signature and now, in both directions. */
const TOLERANCE_S = 300

export interface NoticeContext {
  /** The secrets that are valid now, the present one first. */
  webhookSecrets: () => readonly string[]
  /** The connection's keys are test keys. */
  test: boolean
  /** A connected account that every notice must be about. */
  account: string | undefined
}

/** The only members that are used: everything else is asked from Stripe. */
const event = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  livemode: z.boolean(),
  account: z.string().nullish(),
  data: z
    .object({
      object: z.object({ metadata: z.record(z.string(), z.unknown()).nullish().catch(null) }),
    })
    .catch({ object: {} }),
})

/**
 * Verifies a notification and returns what it says to ask Stripe about. Events of other types say
 * nothing. Throws NotAuthentic for a signature that is wrong, old or of the future, for the other mode,
 * for another account, and for what is no event. `now` is epoch milliseconds.
 */
export function parseNotice(
  context: NoticeContext,
  body: Uint8Array,
  headers: Headers,
  now: number,
): ProcessorNotice {
  const { id, type, livemode, account, data } = readEvent(context, body, headers, now)
  if (livemode !== !context.test) throw new NotAuthentic('the notice is of the other mode')
  if (context.account !== undefined && account !== context.account) {
    throw new NotAuthentic('the notice is about another account')
  }
  const { operation, capture } = data.object.metadata ?? {}
  const operations =
    IS_INTENT.has(type) || IS_REFUND.has(type)
      ? [operation, capture].filter((key) => typeof key === 'string' && isKey(key))
      : []
  const changes = [IS_REFUND, IS_DISPUTE, IS_FEE, IS_METHOD].some((kind) => kind.has(type))
  return { id, operations: operations as string[], changes }
}

/** A text that a database can store and compare. */
function isKey(text: string): boolean {
  return /^[\w-]{1,255}$/.test(text)
}

function readEvent(
  { webhookSecrets }: NoticeContext,
  body: Uint8Array,
  headers: Headers,
  now: number,
): z.output<typeof event> {
  const header = headers.get('stripe-signature') ?? ''
  // The SDK refuses what is old, not what is of the future.
  const signed = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1] ?? Number.NaN)
  if (!(Math.abs(Math.floor(now / 1000) - signed) <= TOLERANCE_S)) {
    throw new NotAuthentic('the signature is old or has no time')
  }
  const bytes = Buffer.from(body)
  let reason = 'the connection has no webhook secret'
  for (const secret of webhookSecrets()) {
    try {
      const received = Stripe.webhooks.constructEvent(
        bytes,
        header,
        secret,
        TOLERANCE_S,
        undefined,
        now,
      )
      const parsed = event.safeParse(received)
      if (parsed.success && isKey(parsed.data.id)) return parsed.data
      reason = 'the body is no event'
    } catch (error) {
      // The message of the SDK may hold the body.
      reason =
        error instanceof Stripe.errors.StripeSignatureVerificationError
          ? 'the signature is wrong'
          : 'the body is no event'
    }
  }
  throw new NotAuthentic(reason)
}
