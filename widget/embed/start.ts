import { defineElement, optionsOf } from './element.ts'
import { embed, setBaseUrl } from './embed.ts'
import type { PreloadedCheckout } from './options.ts'

const OVERLAY = '[data-checkstand],[data-mode=overlay]'

let opener: Element | undefined
let preloaded: PreloadedCheckout

/** Mounts the checkouts that the markup of the page declares. `url` is the script's own. */
export function start(url: string): void {
  setBaseUrl(url)
  for (const type of ['pointerover', 'focusin', 'click']) addEventListener(type, onOpener)
  // The content of an element is its label, so it must be parsed first.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', mountAll)
  else mountAll()
}

/** Loads the overlay when its opener is hovered, touched or focused, and shows it on a click. */
function onOpener(event: Event & Partial<MouseEvent>): void {
  const target = (event.target as Element).closest?.<HTMLElement>(OVERLAY)
  // With these keys a click opens the link in a new tab.
  if (!target || event.defaultPrevented || event.metaKey || event.ctrlKey) return
  if (target !== opener) {
    preloaded?.destroy()
    preloaded = embed((opener = target), optionsOf(target), true)
  }
  if (event.type !== 'click') return
  event.preventDefault()
  opener = undefined
  // The attributes may have changed since the overlay was loaded.
  preloaded.update(optionsOf(target))
  preloaded.show()
}

function mountAll(): void {
  defineElement()
  for (const element of document.querySelectorAll<HTMLElement>(
    '[data-checkstand-link]:not([data-mode=overlay])',
  ))
    embed(element, optionsOf(element))
}
