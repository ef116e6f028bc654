import { holdsCardNumber } from '../../shared/rules/card-in-text.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'
import type { KeyedDigest } from '../db/keyed-digest.ts'
import { ApiError, invalid } from '../errors.ts'
import type { AppContext } from './router.ts'

/** What the header `Idempotency-Key` names, and how the same request is recognised. */
export interface IdempotencyKey {
  instanceId: string
  /** The operation that the key is for: the same key may be used again on another path. */
  path: string
  key: string
  /** Keyed digest of method, path and body. */
  hash: string
}

/**
 * Reads the header; undefined without one. Quotes that a structured field puts around it are not
 * part of the key. Throws a 400 ApiError for anything but 1 to 255 printable ASCII characters, and
 * for a card number.
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
  if (holdsCardNumber(key)) {
    throw new ApiError('INVALID_REQUEST', `Idempotency-Key ${NO_CARD_NUMBER.error}`, {
      recordedAs: { event: 'card_number_refused' },
    })
  }
  const path = operationPath(keyedDigest, c.req.path)
  // A route without a body reads none.
  const body = c.get('bodyBytes') ?? new Uint8Array()
  const hash = keyedDigest(Buffer.concat([Buffer.from(`${c.req.method} ${path}\n`), body]))
  return { instanceId: c.get('instance').id, path, key, hash }
}

const PATH_MAX = 512

/**
 * The same operation has one path, whichever of the two prefixes it is called by. A path that a
 * database cannot or may not keep is kept as its digest: too long, with a NUL or a card number in it.
 */
function operationPath(keyedDigest: KeyedDigest, path: string): string {
  const operation = path.replace(/^\/c\/api(?:\/instances\/[^/]+)?/, '')
  const isKept =
    operation.length <= PATH_MAX && !operation.includes('\0') && !holdsCardNumber(operation)
  return isKept ? operation : `hmac:${keyedDigest(operation)}`
}
