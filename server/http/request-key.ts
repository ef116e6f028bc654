import { createHash } from 'node:crypto'
import { invalid } from './refusal.ts'
import type { AppContext } from './router.ts'

/** What the header `Idempotency-Key` names, and how the same request is recognised. */
export interface RequestKey {
  instanceId: string
  /** The operation that the key is for: the same key may be used again on another path. */
  path: string
  key: string
  /** SHA-256 over method, path and body, hex. */
  hash: string
}

/**
 * Reads the header; undefined without one. Quotes that a structured field puts around it are not
 * part of the key. Throws a 400 Refusal for anything but 1 to 255 printable ASCII characters
 * (contract section 17).
 */
export function readRequestKey(c: AppContext): RequestKey | undefined {
  const header = c.req.header('idempotency-key')
  if (header === undefined) return undefined
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  }
  const path = operationPath(c.req.path)
  const hash = createHash('sha256')
    .update(`${c.req.method} ${path}\n`)
    // A route without a body reads none.
    .update(c.get('bodyBytes') ?? '')
    .digest('hex')
  return { instanceId: c.get('instance').id, path, key, hash }
}

const PATH_MAX = 512

/**
 * The same operation has one path, whichever of the two prefixes it is called by. A path that a
 * database cannot keep or index is kept as its hash: too long, or with a NUL in it.
 */
function operationPath(path: string): string {
  const operation = path.replace(/^\/c\/api(?:\/instances\/[^/]+)?/, '')
  return operation.length <= PATH_MAX && !operation.includes('\0')
    ? operation
    : `sha256:${createHash('sha256').update(operation).digest('hex')}`
}
