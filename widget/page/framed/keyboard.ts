const FOCUSABLE = 'a[href],button,input,select,textarea,summary,[tabindex="0"]'

/** The keys of a dialog, which a frame inside of it keeps to itself. */
export function handleDialogKeys(act: { escape: () => void; edge: () => void }): void {
  addEventListener('keydown', (event) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey, defaultPrevented } = event
    if (defaultPrevented || altKey || ctrlKey || metaKey) return
    if (key === 'Escape') act.escape()
    if (key === 'Tab' && !shiftKey && document.activeElement === lastFocusable()) {
      event.preventDefault()
      act.edge()
    }
  })
}

function lastFocusable(): Element | undefined {
  return [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].findLast(
    (element) => element.tabIndex >= 0 && !element.matches(':disabled') && isVisible(element),
  )
}

function isVisible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0
}
