import { embed } from './embed.ts'
import type { CheckoutOptions, MountedCheckout, PreloadedCheckout } from './options.ts'

export type * from './options.ts'

/** Mounts a checkout in an element, given by itself or by a selector. */
export function mount(element: Element | string, options: CheckoutOptions): MountedCheckout {
  const target = typeof element === 'string' ? document.querySelector(element) : element
  return embed(target as Element, options)
}

/**
 * Loads a checkout over the page, hidden until its `show()` is called. Its events are dispatched on
 * `opener`, if given.
 */
export function preload(options: CheckoutOptions, opener?: Element): PreloadedCheckout {
  return embed(opener ?? document.createElement('div'), options, true)
}

/** Opens a checkout over the page. Its events are dispatched on `opener`, if given. */
export function open(options: CheckoutOptions, opener?: Element): MountedCheckout {
  const checkout = preload(options, opener)
  checkout.show()
  return checkout
}
