import type { Handler } from 'hono'
import { assetResponse, type Asset, newAsset } from '../assets.ts'
import type { OpenapiDocument } from './document.ts'

/** Serves the document, which is created on the first request. */
export function serveOpenapi(make: () => OpenapiDocument): Handler {
  let asset: Asset | undefined
  return (c) => {
    asset ??= newAsset('application/json', new TextEncoder().encode(JSON.stringify(make())))
    // For everybody: the reference has an origin of its own, and other programs read it, too.
    c.header('Access-Control-Allow-Origin', '*')
    return assetResponse(c, asset)
  }
}
