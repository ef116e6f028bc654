import { embed } from './embed.ts'
import type { CheckoutOptions, MountedCheckout } from './options.ts'

/** Reads the options from the attributes of an element; the link of an anchor is its `href`. */
export function optionsOf(element: HTMLElement & { href?: string }): CheckoutOptions {
  const link = element.dataset['checkstandLink'] ?? element.getAttribute('link') ?? element.href
  // oxlint-disable-next-line typescript/no-misused-spread -- a dataset spreads into its attributes
  return { ...element.dataset, link: link as string }
}

/** Makes `<checkstand-checkout link="…">` a checkout. The link is a whole `url` unless the script is Checkstand's own. */
export function defineElement(): void {
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
}
