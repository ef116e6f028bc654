import { embed } from './embed.ts'
import type { CheckoutOptions, MountedCheckout } from './options.ts'

export type { CheckoutError, CheckoutEvent, CheckoutOptions, MountedCheckout } from './options.ts'

/** Mounts a checkout in an element, given by itself or by a selector. */
export function mount(element: Element | string, options: CheckoutOptions): MountedCheckout {
  const target = typeof element === 'string' ? document.querySelector(element) : element
  return embed(target as Element, options)
}

/** Opens a checkout over the page. Its events are dispatched on `opener`, if given. */
export function open(options: CheckoutOptions, opener?: Element): MountedCheckout {
  const checkout = embed(opener ?? document.createElement('div'), options, true)
  checkout.show()
  return checkout
}
