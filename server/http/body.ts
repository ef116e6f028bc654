import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { checkJsonSize } from './json-size.ts'
import { ApiError, invalid } from '../errors.ts'

/** Reading request bodies with limits that hold whatever the headers claim. */

export const BODY_BYTES_MAX = 1_000_000
export const PAYER_BODY_BYTES_MAX = 64_000
const KEYS_MAX = 10_000

/**
 * The parsed JSON of a request's bytes.
 *
 * Refuses a wrong content type, broken UTF-8, broken JSON, numbers that would change, and nesting or
 * width that only an attack would have. An empty body is an object without members, and undefined
 * where `optional` is set.
 */
export function readJson(
  c: Context,
  bytes: Buffer,
  options: { keysMax?: number | undefined; optional?: boolean } = {},
): unknown {
  // What is missing then is named as the member that it is.
  if (bytes.length === 0) return options.optional ? undefined : {}
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ApiError('INVALID_REQUEST', 'Content-Type must be application/json')
  }
  return parse(bytes, options.keysMax ?? KEYS_MAX)
}

/**
 * The bytes of a body. Refuses more than `bytesMax`: by the header first, and then counted while
 * they arrive, because a chunked body has no length. Refuses a body whose sender hung up in its
 * middle, too: that is no defect of ours, and anybody could fill the log with it.
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
    // HTTP itself ends the body at the announced length, and this way avoids a web stream.
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
 * The bytes of a body that has no length. What is too much is thrown away as it comes, and the
 * stream lives on: to end it would end the connection, and with it the answer.
 */
function collect(incoming: Readable, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
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
  // The code is that of the strings area, the only one whose errors carry codes.
  return new ApiError('INVALID_REQUEST', `body must be at most ${bytesMax} bytes`, {
    code: 'SVC-7006',
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
