import { loadedFrom, mount, open, prepare } from './mount.ts'
import type { PreparedCheckout } from './mount.ts'
import type { CheckoutOptions, MountedCheckout } from './options.ts'

/**
 * What `widget.js` does by itself: it brings to life what asks for it in the page, and leaves
 * `Checkstand.mount` and `Checkstand.open` behind (page design section 4).
 */

export { mount, open }

const INLINE = '[data-checkstand-link]:not([data-mode=overlay])'
const OVERLAY = '[data-checkstand=overlay],[data-checkstand-link][data-mode=overlay]'
const TAG = 'checkstand-checkout'

function start(): void {
  class CheckstandCheckout extends HTMLElement {
    static observedAttributes = ['link', 'language', 'branding', 'theme', 'label']
    checkout: MountedCheckout | undefined

    connectedCallback(): void {
      this.checkout = mount(this, optionsOf(this))
    }

    disconnectedCallback(): void {
      this.checkout?.destroy()
      this.checkout = undefined
    }

    attributeChangedCallback(): void {
      this.checkout?.update(optionsOf(this))
    }
  }
  customElements.define(TAG, CheckstandCheckout)
  for (const element of document.querySelectorAll(INLINE)) mount(element, optionsOf(element))
}

let warm: { opener: Element; checkout: PreparedCheckout } | undefined

/** The checkout of an opener, loaded from the moment when the payer seems to want it. */
function prepared(opener: Element): PreparedCheckout {
  if (warm?.opener !== opener) {
    warm?.checkout.destroy()
    warm = { opener, checkout: prepare({ label: opener.textContent, ...optionsOf(opener) }, opener) }
  }
  return warm.checkout
}

function openerOf(event: Event): Element | null {
  return event.target instanceof Element ? event.target.closest(OVERLAY) : null
}

function warmUp(event: Event): void {
  const opener = openerOf(event)
  if (opener) prepared(opener)
}

/** Options as they stand in an element: `link` or `data-link`; an anchor's link is its address. */
function optionsOf(element: Element): CheckoutOptions {
  const said = (name: string) =>
    element.getAttribute(name) ?? element.getAttribute(`data-${name}`) ?? undefined
  const options = {
    link: said('checkstand-link') ?? said('link') ?? said('href') ?? '',
    language: said('language'),
    branding: said('branding'),
    theme: said('theme') as CheckoutOptions['theme'],
  }
  const label = said('label')
  return label ? { ...options, label } : options
}

// A script that is loaded twice starts once.
if (!customElements.get(TAG)) {
  loadedFrom((document.currentScript as HTMLScriptElement | null)?.src ?? import.meta.url)
  addEventListener('pointerover', warmUp)
  addEventListener('focusin', warmUp)
  addEventListener('click', (event) => {
    const opener = openerOf(event)
    const { ctrlKey, metaKey, shiftKey, defaultPrevented } = event
    if (!opener || ctrlKey || metaKey || shiftKey || defaultPrevented) return
    // A link that cannot be opened here stays an ordinary link.
    const checkout = prepared(opener)
    event.preventDefault()
    warm = undefined
    checkout.show()
  })
  // What stands inside of an element belongs to it, so it must be there first.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
  else start()
}
