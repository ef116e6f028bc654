import type { Handler } from 'hono'
import { assetResponse, type Asset, newAsset } from '../assets.ts'
import type { OpenapiDocument } from './document.ts'

/** Answers with the document, which is made once, when it is first asked for. */
export function serveOpenapi(make: () => OpenapiDocument): Handler {
  let asset: Asset | undefined
  return (c) => {
    asset ??= newAsset('application/json', new TextEncoder().encode(JSON.stringify(make())))
    return assetResponse(c, asset)
  }
}
