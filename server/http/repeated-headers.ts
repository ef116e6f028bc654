import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../errors.ts'

/**
 * Headers that must have one value: a proxy could evaluate another of two values than this server
 * does.
 */
const SINGLE = new Map(
  [
    'Host',
    'Authorization',
    'Content-Type',
    'Content-Length',
    'Transfer-Encoding',
    'Idempotency-Key',
    'If-Match',
    'Origin',
    'Sec-Fetch-Site',
  ].map((name) => [name.toLowerCase(), name]),
)

/** Rejects a request that repeats such a header, with 400 (RFC 9112 section 3.2 for `Host`). */
export const rejectRepeatedHeaders: MiddlewareHandler = (c, next) => {
  const { incoming } = (c.env ?? {}) as { incoming?: Partial<IncomingMessage> }
  const raw = incoming?.rawHeaders ?? []
  const seen = new Set<string>()
  // Names stand at even places, each before its value.
  for (let at = 0; at < raw.length; at += 2) {
    const name = SINGLE.get((raw[at] ?? '').toLowerCase())
    if (name === undefined) continue
    if (seen.has(name)) throw new ApiError('INVALID_REQUEST', `${name} must not be repeated`)
    seen.add(name)
  }
  return next()
}
