const HEIGHT_MIN = 100
const HEIGHT_MAX = 10_000

/**
 * Tells how high the content is, in whole CSS pixels, first now and then whenever that changes. It is
 * the content's height and not the document's: a document is never lower than its frame, which would
 * then never shrink (complaint U-23).
 */
export function reportHeight(content: Element, tell: (height: number) => void): void {
  let told = 0

  function look(): void {
    const { height } = content.getBoundingClientRect()
    const next = Math.min(Math.max(Math.ceil(height), HEIGHT_MIN), HEIGHT_MAX)
    if (height && next !== told) tell((told = next))
  }

  // Browsers do not draw frames that are out of sight, and observe no sizes in them. Without this
  // first look such a frame would only find its height, and push the page down, under the payer's eyes.
  look()
  new ResizeObserver(look).observe(content)
}
