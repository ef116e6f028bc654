import type { FrameMessages } from '../../shared/embed-messages.ts'

/** A modal dialog of the browser's own: focus, Escape and the top layer are its business. */
export interface Dialog {
  box: HTMLDialogElement
  button: HTMLButtonElement
  /** Says in the page's own words what this is and how it closes. */
  name: (words: FrameMessages['ready']) => void
  show: () => void
  hide: () => void
}

/** `ask` is called when the payer wants to close it; only `hide` does. */
export function createDialog(ask: () => void): Dialog {
  const box = document.createElement('dialog')
  const button = document.createElement('button')
  const page = document.documentElement
  let locked: string[] | undefined
  button.textContent = '×'
  button.ariaLabel = 'Close'
  button.onclick = ask
  box.append(button)
  // Taken before the browser sees it, which would close a dialog on the second Escape in any case.
  box.onkeydown = (event) => {
    if (event.key === 'Escape') box.oncancel?.(event)
  }
  box.oncancel = (event) => {
    event.preventDefault()
    ask()
  }
  // Android's Back can still close it: a payment under way comes back into sight.
  box.onclose = () => {
    if (locked) {
      box.showModal()
      ask()
    }
  }
  return {
    box,
    button,
    name({ title, close, direction }) {
      box.ariaLabel = title
      button.ariaLabel = close
      box.dir = direction
    },
    show() {
      const { overflow, scrollbarGutter } = page.style
      locked = [overflow, scrollbarGutter]
      // What is behind neither scrolls nor jumps aside when its scroll bar goes.
      if (innerWidth > page.clientWidth) page.style.scrollbarGutter = 'stable'
      page.style.overflow = 'hidden'
      box.showModal()
    },
    hide() {
      if (!locked) return
      const [overflow = '', scrollbarGutter = ''] = locked
      locked = undefined
      Object.assign(page.style, { overflow, scrollbarGutter })
      box.close()
    },
  }
}
