const HEIGHT_MIN = 100
const HEIGHT_MAX = 10_000

/**
 * Tells how high the content is, in whole CSS pixels, first now and then whenever that changes. It is
 * the content's height and not the document's: a document is never lower than its frame, which would
 * then never shrink (complaint U-23).
 */
export function measure(content: Element, tell: (height: number) => void): void {
  let told = 0
  let due = false

  function look(): void {
    due = false
    const { height } = content.getBoundingClientRect()
    const next = Math.min(Math.max(Math.ceil(height), HEIGHT_MIN), HEIGHT_MAX)
    if (next !== told) tell((told = next))
  }

  new ResizeObserver(() => {
    if (due) return
    due = true
    requestAnimationFrame(look)
  }).observe(content)
}
