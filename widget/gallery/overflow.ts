/** What a browser shows beyond its window, or cuts off. */

/** Returns what overflows the window, its box, or is clipped by its box. Runs in the page. */
export function findOverflow(): string[] {
  const texts = [
    ...document.querySelectorAll(
      'button, label, h1, h2, p, legend, span, dt, dd, li, b, a, select',
    ),
  ]
  const isDrawn = (element: Element) =>
    element.clientWidth > 1 && !element.closest('.visually-hidden')
  const broken = texts.filter((element) => {
    const { display } = getComputedStyle(element)
    return display !== 'inline' && isDrawn(element) && element.scrollWidth > element.clientWidth + 1
  })
  const wider = document.documentElement.scrollWidth - innerWidth
  return [
    ...(wider > 0 ? [`is ${wider} px wider than a window of ${innerWidth} px`] : []),
    ...broken.map((element) => {
      const clips = getComputedStyle(element).overflowX !== 'visible'
      const words = clips ? 'clips its text' : 'overflows its box'
      return `${words} at ${innerWidth} px: ${element.outerHTML.slice(0, 80)}`
    }),
  ]
}
