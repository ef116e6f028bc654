import { readFile, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { acceptedEncoding } from './compress.ts'

/** A built file in the forms in which it may be asked for. */
export interface Asset {
  type: string
  identity: Uint8Array<ArrayBuffer>
  br: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * The page's built files at `/assets/…`, read and compressed once at start. Their names carry a
 * hash of their content, so browsers may keep them for good.
 */
export async function assetRoutes(folder: URL): Promise<Hono> {
  const assets = new Map<string, Asset>()
  for (const name of await readdir(folder)) {
    assets.set(name, await compress(name, new Uint8Array(await readFile(new URL(name, folder)))))
  }
  const app = new Hono()
  app.get('/:name', (c) => {
    const asset = assets.get(c.req.param('name'))
    if (!asset) return c.notFound()
    c.header('Cache-Control', FOR_GOOD)
    return answerAsset(c, asset)
  })
  return app
}

/** For addresses whose content never changes. */
export const FOR_GOOD = 'public, max-age=31536000, immutable'

/** The file in the smallest form that the browser reads. */
export function answerAsset(c: Context, asset: Asset): Response {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  c.header('Content-Type', asset.type)
  c.header('Vary', 'Accept-Encoding')
  if (encoding !== 'identity') c.header('Content-Encoding', encoding)
  return c.body(asset[encoding])
}

/** Compresses as well as it can be done; for files that are read once and served often. */
export async function compress(name: string, identity: Uint8Array<ArrayBuffer>): Promise<Asset> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
    promisify(gzip)(identity, { level: 9 }),
  ])
  const extension = name.split('.').at(-1) ?? ''
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    identity,
    br: new Uint8Array(br),
    gzip: new Uint8Array(gz),
  }
}
