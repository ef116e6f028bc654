import { embed } from './embed.ts'
import type { CheckoutOptions, MountedCheckout } from './options.ts'

export type { CheckoutError, CheckoutEvent, CheckoutOptions, MountedCheckout } from './options.ts'

/** Shows a checkout inside an element, or inside the first that a selector finds. */
export function mount(element: Element | string, options: CheckoutOptions): MountedCheckout {
  const place = typeof element === 'string' ? document.querySelector(element) : element
  return embed(place as Element, options)
}

/** Opens a checkout over the page. Its events happen on `opener` too, where there is one. */
export function open(options: CheckoutOptions, opener?: Element): MountedCheckout {
  const checkout = embed(opener ?? document.createElement('div'), options, true)
  checkout.show()
  return checkout
}
