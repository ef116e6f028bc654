import type { SentenceFit } from '../../shared/preview-messages.ts'
import type { Place } from './marks.ts'
import { isHidden, rangeOf } from './overlay.ts'

/** Returns how a sentence fits into the page as it is drawn; null for one that is not seen. */
export function fitOf(at: Place | undefined): SentenceFit | null {
  if (!at || !('node' in at) || isHidden(at.node)) return null
  const boxes = [...rangeOf(at).getClientRects()].filter(({ width }) => width > 0)
  if (boxes.length === 0) return null
  // Text in another direction has several boxes in a line.
  const lines = new Set(boxes.map(({ bottom }) => Math.round(bottom))).size
  const owner = at.node.parentElement
  const cut =
    owner !== null &&
    getComputedStyle(owner).overflowX !== 'visible' &&
    owner.scrollWidth > owner.clientWidth + 1
  return { lines, cut }
}
