const FOCUSABLE = 'a[href],button,input,select,textarea,summary,[tabindex="0"]'

/** Reports the keys of a dialog, which a host page cannot see while the focus is in the frame. */
export function handleDialogKeys(handlers: {
  onEscape: () => void
  /** Tab was pressed on the last element. */
  onLeave: () => void
}): void {
  addEventListener('keydown', (event) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey, defaultPrevented } = event
    if (defaultPrevented || altKey || ctrlKey || metaKey) return
    if (key === 'Escape') handlers.onEscape()
    if (key === 'Tab' && !shiftKey && document.activeElement === lastFocusable()) {
      event.preventDefault()
      handlers.onLeave()
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
