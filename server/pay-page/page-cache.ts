import { createCache, getOrLoad } from '../cache.ts'
import { type Encoding, compressBody } from '../http/compress.ts'

export interface RenderedDocument {
  html: string
  /** The Content-Security-Policy. */
  policy: string
  /** The Permissions-Policy, where the page needs one. */
  permissions?: string | undefined
}

/** A document that is compressed once for each encoding. */
export interface CachedPage extends Pick<RenderedDocument, 'policy' | 'permissions'> {
  packed: (encoding: Encoding) => Promise<Uint8Array<ArrayBuffer>>
}

/** About 25 kB each, and 7 kB more for each encoding. */
const PAGES_MAX = 250

/**
 * Caches rendered pages in this process: mail scanners, link previews and the payer request the same
 * page within minutes, and rendering is the slowest part. A page without a key is not cached.
 */
export function createPageCache(): (
  key: string | undefined,
  render: () => Promise<RenderedDocument>,
) => Promise<CachedPage> {
  const pages = createCache<Promise<CachedPage>>(PAGES_MAX)
  return (key, render) => {
    const load = async () => cachePacked(await render())
    return key === undefined ? load() : getOrLoad(pages, key, load)
  }
}

function cachePacked({ html, policy, permissions }: RenderedDocument): CachedPage {
  const bytes = new TextEncoder().encode(html)
  const packed = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>()
  return {
    policy,
    permissions,
    packed(encoding) {
      const body =
        packed.get(encoding) ??
        (encoding === 'identity' ? Promise.resolve(bytes) : compressBody(encoding, bytes))
      packed.set(encoding, body)
      return body
    },
  }
}
