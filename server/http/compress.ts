import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { MiddlewareHandler } from 'hono'
import { presetHeader } from './preset-header.ts'

/** Supported encodings, best first. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** Returns the best encoding that an `Accept-Encoding` header allows. */
export function acceptedEncoding(header: string | undefined): Encoding {
  for (const { encoding, pattern, rejected } of SUPPORTED) {
    if (pattern.test(header ?? '') && !rejected.test(header ?? '')) return encoding
  }
  return 'identity'
}

const SUPPORTED = (['br', 'gzip'] as const).map((encoding) => ({
  encoding,
  pattern: new RegExp(`\\b${encoding}\\b`),
  rejected: new RegExp(`\\b${encoding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`),
}))

/** Smaller responses fit into one packet anyway. */
const WORTH_BYTES = 1000

/** Low, because the client waits for the compression. */
const BROTLI_QUALITY = 7

/**
 * Compresses JSON for browsers. The payer's pages are compressed where they are cached. Responses never
 * contain a secret next to text that an attacker could choose, so their length reveals nothing.
 */
export const compressForBrowsers = compress('application/json')

/**
 * Compresses a page that is made for one request. One with a secret in it leaves out what others wrote
 * when another site opens it, since its length reveals what the two have in common.
 */
export const compressPage = compress('text/html')

/** Compresses responses of a content type as the client accepts it. */
function compress(contentType: string): MiddlewareHandler {
  return async function compressResponse(c, next) {
    presetHeader(c, 'Vary', 'Accept-Encoding')
    await next()
    const encoding = acceptedEncoding(c.req.header('accept-encoding'))
    if (encoding === 'identity' || c.req.method === 'HEAD') return
    const type = c.res.headers.get('content-type') ?? ''
    if (!type.startsWith(contentType) || c.res.headers.has('content-encoding')) return
    const body = new Uint8Array(await c.res.arrayBuffer())
    const packed = body.length < WORTH_BYTES ? body : await compressBody(encoding, body)
    c.res = new Response(packed, { status: c.res.status, headers: c.res.headers })
    if (packed !== body) c.res.headers.set('Content-Encoding', encoding)
    c.res.headers.delete('Content-Length')
  }
}

/**
 * Compresses what the console reads: a list of 50 records is a tenth of its size. Other sites cannot
 * send its header, so they cannot make a browser ask.
 */
export const compressForConsole: MiddlewareHandler = (c, next) =>
  c.req.method === 'GET' && c.req.header('checkstand-console') !== undefined
    ? compressForBrowsers(c, next)
    : next()

/** `best` takes many times as long, for what is compressed once. */
export async function compressBody(
  encoding: 'br' | 'gzip',
  body: Uint8Array<ArrayBuffer>,
  { best = false } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const packed =
    encoding === 'gzip'
      ? await promisify(gzip)(body, { level: best ? 9 : 6 })
      : await promisify(brotliCompress)(body, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: best ? constants.BROTLI_MAX_QUALITY : BROTLI_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          },
        })
  return new Uint8Array(packed)
}
