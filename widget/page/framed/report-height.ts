const HEIGHT_MIN = 100
const HEIGHT_MAX = 10_000

/**
 * Reports the height of the content in whole CSS pixels, now and on every change. The document's own
 * height would never shrink, because it is at least the frame's.
 */
export function reportHeight(content: Element, report: (height: number) => void): void {
  let reported = 0

  function measure(): void {
    const { height } = content.getBoundingClientRect()
    const next = Math.min(Math.max(Math.ceil(height), HEIGHT_MIN), HEIGHT_MAX)
    if (height && next !== reported) report((reported = next))
  }

  // A browser that does not render an offscreen frame calls no observer, and the frame would change
  // its height when the payer scrolls to it.
  measure()
  new ResizeObserver(measure).observe(content)
}
