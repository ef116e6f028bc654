import { type Encoding, pack } from '../http/compress.ts'

/** A page, and what may happen in it. */
export interface RenderedDocument {
  html: string
  /** The Content-Security-Policy. */
  policy: string
}

/** A page as it is sent, packed once for each encoding. */
export interface CachedPage {
  policy: string
  packed: (encoding: Encoding) => Promise<Uint8Array<ArrayBuffer>>
}

/** A page has some 25 kB, and some 7 kB more for each encoding. */
const PAGES_MAX = 250

/**
 * Pages that were drawn lately, of one process: a link that is sent to somebody is opened by a mail
 * scanner, by a preview and by its payer within minutes, and drawing takes longer than all else.
 * `madeOf` names everything that a page is made of; a page without it is drawn anew. The page that
 * nobody has asked for longest makes room.
 */
export function createPageCache(): (
  madeOf: string | undefined,
  draw: () => Promise<RenderedDocument>,
) => Promise<CachedPage> {
  const pages = new Map<string, Promise<CachedPage>>()
  return (madeOf, draw) => {
    if (madeOf === undefined) return draw().then(toSend)
    const known = pages.get(madeOf)
    const page = known ?? draw().then(toSend)
    if (!known) page.catch(() => pages.delete(madeOf))
    // Put in again, so that the order of the map is the order of the last request.
    pages.delete(madeOf)
    pages.set(madeOf, page)
    if (pages.size > PAGES_MAX) pages.delete(pages.keys().next().value as string)
    return page
  }
}

function toSend({ html, policy }: RenderedDocument): CachedPage {
  const bytes = new TextEncoder().encode(html)
  const ready = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>()
  return {
    policy,
    packed(encoding) {
      const packed =
        ready.get(encoding) ??
        (encoding === 'identity' ? Promise.resolve(bytes) : pack(encoding, bytes))
      ready.set(encoding, packed)
      return packed
    },
  }
}
