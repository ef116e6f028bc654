import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { assetResponse, type Asset, IMMUTABLE, readAsset } from './assets.ts'

/** Merchants' pages get a new script within an hour. */
const FOR_AN_HOUR = 'public, max-age=3600'

/**
 * Serves the embed script for merchants' pages, read once at startup: `/widget.js` and, for
 * `import`, `/widget.mjs`; the same under a URL with the version, for pages that pin it by its
 * integrity; and `/widget.json` with the values to pin.
 */
export function embedScriptRoutes(folder: URL, about: { version: string; baseUrl: string }): Hono {
  const script = readAsset(new URL('script/widget.js', folder))
  const module = readAsset(new URL('module/widget.mjs', folder))
  const app = new Hono()
  const serve = (asset: Asset, cached: string) => (c: Context) => {
    // Pages of every origin load it and compare its hash.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Cache-Control', cached)
    return assetResponse(c, asset)
  }
  app.get('/widget.js', serve(script, FOR_AN_HOUR))
  app.get('/widget.mjs', serve(module, FOR_AN_HOUR))
  app.get(`/widget/v${about.version}.js`, serve(script, IMMUTABLE))
  app.get(`/widget/v${about.version}.mjs`, serve(module, IMMUTABLE))
  const pinned = (asset: Asset, ending: string) => ({
    url: `${about.baseUrl}/widget/v${about.version}.${ending}`,
    integrity: `sha384-${createHash('sha384').update(asset.identity).digest('base64')}`,
  })
  const versions = {
    version: about.version,
    script: pinned(script, 'js'),
    module: pinned(module, 'mjs'),
  }
  app.get('/widget.json', (c) => c.json(versions))
  return app
}
