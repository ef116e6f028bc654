import { renderSVG } from 'uqr'
import { BoundedMap } from '../bounded-map.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { isUnavailable, linkGone, linkPayability } from '../payment-links/payability.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { findLinkAndInstance } from '../payment-links/store.ts'

/** Cache lifetime in browsers; shorter than most links live. */
export const QR_SECONDS = 300

/** Rendered SVGs by URL, about 10 kB each. */
const rendered = new BoundedMap<string, string>(500)

/**
 * Returns the URL of a link as a QR code in SVG. Throws 404 for an unknown link, and 410 for one that
 * expired or was archived before it was paid.
 */
export async function qrCode(deps: Deps, linkId: string): Promise<string> {
  const linkAndInstance = await findLinkAndInstance(deps.db, linkId)
  if (!linkAndInstance) throw notFound('Payment link')
  const now = withClockOf(linkAndInstance.instance, deps.now)
  if (isUnavailable(linkPayability(linkAndInstance, { now }))) throw linkGone()
  const url = payUrl(deps.config.baseUrl, linkAndInstance.link.id)
  // Level Q restores a quarter of the code; ISO/IEC 18004 requires a quiet zone of four modules.
  return rendered.getOrCreate(url, () => renderSVG(url, { ecc: 'Q', border: 4 }))
}
