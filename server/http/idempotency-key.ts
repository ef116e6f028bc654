import { containsCardNumber } from '../../shared/rules/card-in-text.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'
import type { KeyedDigest } from '../db/keyed-digest.ts'
import { ApiError, invalid } from '../errors.ts'
import type { AppContext } from './router.ts'

/** An `Idempotency-Key` and the digest that identifies a repeated request. */
export interface IdempotencyKey {
  instanceId: string
  /** The operation that the key belongs to: the same key may be reused on another path. */
  path: string
  key: string
  /** Keyed digest of method, path and body. */
  hash: string
}

/**
 * Parses the header; undefined without it. The quotes of a structured field are not part of the
 * key. Throws a 400 ApiError unless the key is 1 to 255 printable ASCII characters without a card
 * number.
 */
export function parseIdempotencyKey(
  { keyedDigest }: { keyedDigest: KeyedDigest },
  c: AppContext,
): IdempotencyKey | undefined {
  const header = c.req.header('idempotency-key')
  if (header === undefined) return undefined
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  }
  if (containsCardNumber(key)) {
    throw new ApiError('INVALID_REQUEST', `Idempotency-Key ${NO_CARD_NUMBER.error}`, {
      recordedAs: { event: 'card_number_refused' },
    })
  }
  const path = operationPath(keyedDigest, c.req.path)
  // Unset for routes without a body.
  const body = c.get('bodyBytes') ?? new Uint8Array()
  const hash = keyedDigest(Buffer.concat([Buffer.from(`${c.req.method} ${path}\n`), body]))
  return { instanceId: c.get('instance').id, path, key, hash }
}

const PATH_MAX = 512

/**
 * Returns the same path for both prefixes of the API. A path that must not be stored, because it is
 * too long or contains NUL or a card number, is replaced by its digest.
 */
function operationPath(keyedDigest: KeyedDigest, path: string): string {
  const operation = path.replace(/^\/c\/api(?:\/instances\/[^/]+)?/, '')
  const isKept =
    operation.length <= PATH_MAX && !operation.includes('\0') && !containsCardNumber(operation)
  return isKept ? operation : `hmac:${keyedDigest(operation)}`
}
