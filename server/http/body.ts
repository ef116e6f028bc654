import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { checkJsonSize } from './json-size.ts'
import { ApiError, invalid } from '../errors.ts'

/** Reads request bodies with limits that do not depend on the headers. */

export const BODY_BYTES_MAX = 1_000_000
export const PAYER_BODY_BYTES_MAX = 64_000
const KEYS_MAX = 10_000
/** The code of the error for a body that is too long: that of the strings endpoints, whose errors have codes. */
export const TOO_LARGE = 'SVC-7006'

/**
 * Returns the parsed JSON. Throws a 400 ApiError for a wrong content type, invalid UTF-8 or JSON,
 * numbers that would lose precision, and excessive nesting or width. An empty body is `{}`, or
 * undefined if `optional` is set.
 */
export function readJson(
  c: Context,
  bytes: Buffer,
  options: { keysMax?: number | undefined; optional?: boolean } = {},
): unknown {
  // The schema then names the missing members.
  if (bytes.length === 0) return options.optional ? undefined : {}
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ApiError('INVALID_REQUEST', 'Content-Type must be application/json')
  }
  return parse(bytes, options.keysMax ?? KEYS_MAX)
}

/**
 * Returns the bytes of a body. Throws a 400 ApiError for more than `bytesMax`, by the header first
 * and then counted as they arrive, because a chunked body has no length; and for a body whose
 * sender disconnected, which is no defect of the server.
 */
export async function readBytes(c: Context, bytesMax: number): Promise<Buffer> {
  try {
    return await readWhole(c, bytesMax)
  } catch (error) {
    throw error instanceof ApiError ? error : invalid('body', 'must be complete')
  }
}

async function readWhole(c: Context, bytesMax: number): Promise<Buffer> {
  const announced = c.req.header('content-length')
  if (announced !== undefined) {
    if (Number(announced) > bytesMax) throw tooLarge(bytesMax)
    // HTTP ends the body at the announced length; this avoids a web stream.
    const bytes = Buffer.from(await c.req.arrayBuffer())
    if (bytes.length > bytesMax) throw tooLarge(bytesMax)
    return bytes
  }
  const { incoming } = (c.env ?? {}) as { incoming?: unknown }
  if (incoming instanceof Readable) return collect(incoming, bytesMax)
  const stream = c.req.raw.body
  if (!stream) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.byteLength
    if (length > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/**
 * Collects a body of unknown length. Bytes beyond the limit are discarded without ending the
 * stream, because that would also end the connection and lose the response.
 */
function collect(incoming: Readable, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Its events are over.
    if (incoming.destroyed) throw new Error('the sender hung up')
    const chunks: Buffer[] = []
    let length = 0
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= bytesMax) chunks.push(chunk)
      else reject(tooLarge(bytesMax))
    })
    incoming.once('end', () => resolve(Buffer.concat(chunks)))
    incoming.once('error', reject)
    incoming.once('close', () => reject(new Error('the sender hung up')))
  })
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('INVALID_REQUEST', `body must be at most ${bytesMax} bytes`, {
    code: TOO_LARGE,
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer, keysMax: number): unknown {
  try {
    const text = utf8.decode(bytes)
    checkJsonSize(text, keysMax)
    return JSON.parse(text)
  } catch (error) {
    throw error instanceof ApiError
      ? error
      : new ApiError('INVALID_REQUEST', 'body must be valid JSON')
  }
}
