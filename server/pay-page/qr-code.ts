import { renderSVG } from 'uqr'
import { LRUCache } from 'lru-cache'
import { withClockOf } from '../clock.ts'
import { findPayerLink, type LinkAddress, payerPath } from '../deep-links/payer-link.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import type { AppContext } from '../http/router.ts'
import { isUnavailable, linkGone, linkPayability } from '../payment-links/payability.ts'

/** Cache lifetime in browsers; shorter than most links live. */
const QR_SECONDS = 300

/** Rendered SVGs by URL, about 10 kB each. */
const rendered = new LRUCache<string, string>({
  max: 500,
  // Level Q restores a quarter of the code; ISO/IEC 18004 requires a quiet zone of four modules.
  memoMethod: (url) => renderSVG(url, { ecc: 'Q', border: 4 }),
})

/**
 * Responds with the URL of a link as a QR code in SVG. Throws 404 for an unknown link, and 410 for one
 * that expired, was used up, or was archived before it was paid.
 */
export async function respondWithQrCode(
  deps: Deps,
  c: AppContext,
  address: LinkAddress,
): Promise<Response> {
  const payerLink = await findPayerLink(deps.db, address)
  if (!payerLink) throw notFound('Payment link')
  const now = withClockOf(payerLink.instance, deps.now)
  if (isUnavailable(linkPayability(payerLink, { now }))) throw linkGone()
  const url = deps.config.baseUrl + payerPath(payerLink)
  c.header('Content-Type', 'image/svg+xml')
  c.header('Cache-Control', `private, max-age=${QR_SECONDS}`)
  c.header('X-Robots-Tag', 'noindex')
  return c.body(rendered.memo(url))
}
