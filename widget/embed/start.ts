import { embed, loadedFrom, type PreparedCheckout } from './embed.ts'
import type { CheckoutOptions, MountedCheckout } from './options.ts'

/**
 * What a script from Checkstand does by itself: it brings to life what asks for it in the page
 * (page design section 4).
 */

const OVERLAY = '[data-checkstand],[data-mode=overlay]'

let opener: Element | undefined
let warm: PreparedCheckout

/** Begins; `address` is the script's own. */
export function start(address: string): void {
  loadedFrom(address)
  for (const type of ['mouseover', 'focusin', 'click']) addEventListener(type, onOpener)
  // What stands inside an element belongs to it, so it must be there first.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
  else begin()
}

/** A checkout loads as soon as the payer seems to want it, and is shown when they do. */
function onOpener(event: Event & Partial<MouseEvent>): void {
  const wanted = (event.target as Element).closest?.<HTMLElement>(OVERLAY)
  // With these keys a link opens in a tab of its own, as links do.
  if (!wanted || event.defaultPrevented || event.metaKey || event.ctrlKey) return
  if (wanted !== opener) {
    warm?.destroy()
    warm = embed((opener = wanted), optionsOf(wanted), true)
  }
  if (event.type !== 'click') return
  event.preventDefault()
  opener = undefined
  // The shop may have changed it since it was made warm.
  warm.update(optionsOf(wanted))
  warm.show()
}

function begin(): void {
  customElements.define(
    'checkstand-checkout',
    class extends HTMLElement {
      declare checkout: MountedCheckout
      connectedCallback() {
        this.checkout = embed(this, optionsOf(this))
      }
      disconnectedCallback() {
        this.checkout.destroy()
      }
    },
  )
  for (const element of document.querySelectorAll<HTMLElement>(
    '[data-checkstand-link]:not([data-mode=overlay])',
  ))
    embed(element, optionsOf(element))
}

/** The options that stand in an element; an anchor's link is its address. */
function optionsOf(element: HTMLElement & { href?: string }): CheckoutOptions {
  const link = element.dataset['checkstandLink'] ?? element.getAttribute('link') ?? element.href
  // oxlint-disable-next-line typescript/no-misused-spread -- a dataset spreads into its attributes
  return { ...element.dataset, link: link as string }
}
