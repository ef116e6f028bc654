import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import { acceptedEncoding, compressBody, type Encoding } from './compress.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A built file in each encoding. */
export interface Asset {
  type: string
  /** One for all encodings, because they represent the same content (RFC 9110 section 8.8.3). */
  etag: string
  identity: Bytes
  /** Encoded on first use and then cached. */
  as: (encoding: Encoding) => Promise<Bytes>
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Serves the built files of the page at `/assets/…`. The files are read once at startup; reading
 * hundreds of small ones asynchronously would take 40 ms more. Their names contain a hash of their
 * content, so browsers may cache them indefinitely.
 */
export function assetRoutes(...folders: URL[]): Hono {
  const assets = new Map<string, Asset>()
  for (const folder of folders) {
    for (const name of readdirSync(folder)) assets.set(name, readAsset(new URL(name, folder)))
  }
  const app = new Hono()
  app.get('/:name', (c) => {
    const asset = assets.get(c.req.param('name'))
    if (!asset) return c.notFound()
    c.header('Cache-Control', IMMUTABLE)
    return assetResponse(c, asset)
  })
  return app
}

/** For URLs whose content never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Returns the file in the best encoding that the client accepts. */
export async function assetResponse(c: Context, asset: Asset): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  c.header('Vary', 'Accept-Encoding')
  c.header('ETag', asset.etag)
  if (isKnown(c, asset.etag)) return c.body(null, 304)
  c.header('Content-Type', asset.type)
  if (encoding !== 'identity') c.header('Content-Encoding', encoding)
  return c.body(await asset.as(encoding))
}

/** Returns whether `If-None-Match` names this version or `*`. */
export function isKnown(c: Context, etag: string): boolean {
  const etags = c.req.header('if-none-match')?.split(',', 20) ?? []
  return etags.some((tag) => tag.trim() === etag || tag.trim() === '*')
}

/**
 * Reads a file. Compression at the highest level takes longer than the rest of the startup, so it
 * happens on the first request.
 */
export function readAsset(file: URL): Asset {
  const type = TYPES[file.pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return newAsset(type, new Uint8Array(readFileSync(file)))
}

export function newAsset(type: string, identity: Bytes): Asset {
  const forms = new Map<Encoding, Promise<Bytes>>([['identity', Promise.resolve(identity)]])
  let etag: string | undefined
  return {
    type,
    get etag() {
      return (etag ??= `W/"${createHash('sha256').update(identity).digest('base64url')}"`)
    },
    identity,
    as(encoding) {
      const form =
        forms.get(encoding) ??
        compressBody(encoding as Exclude<Encoding, 'identity'>, identity, { best: true })
      forms.set(encoding, form)
      return form
    },
  }
}
