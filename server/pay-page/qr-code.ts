import { renderSVG } from 'uqr'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { ApiError, notFound } from '../errors.ts'
import { linkStatus } from '../payment-links/status.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { findLinkAndInstance } from '../payment-links/store.ts'

/** How long a browser may keep the picture; shorter than most links live. */
export const QR_SECONDS = 300

/**
 * The address of a link as a QR code in SVG, for an invoice or a till; a quarter of it may be
 * dirty or torn. Throws 404 for an unknown link, and 410 for one that expired or was archived
 * before anybody paid it, as its page does.
 */
export async function qrCode(deps: Deps, linkId: string): Promise<string> {
  const found = await findLinkAndInstance(deps.db, linkId)
  if (!found) throw notFound('Payment link')
  const { link, instance } = found
  const status = linkStatus(link, withClockOf(instance, deps.now))
  if (status === 'EXPIRED' || (status === 'ACTIVE' && link.archived !== null)) {
    throw new ApiError('GONE', 'Payment link is no longer available')
  }
  return renderQrCode(payUrl(deps.config.baseUrl, link.id))
}

/** Pictures that were drawn lately, of one process, 10 kB each. */
const pictures = new Map<string, string>()
const PICTURES_MAX = 500

/** Drawing takes a hundred times longer than all else, and an address never changes. */
function renderQrCode(address: string): string {
  // Four modules of quiet around the code are what scanners ask for.
  const picture = pictures.get(address) ?? renderSVG(address, { ecc: 'Q', border: 4 })
  // Put in again, so that the order of the map is the order of the last request.
  pictures.delete(address)
  pictures.set(address, picture)
  if (pictures.size > PICTURES_MAX) pictures.delete(pictures.keys().next().value as string)
  return picture
}
