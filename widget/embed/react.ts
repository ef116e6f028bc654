// oxlint-disable-next-line no-restricted-imports -- this one file is for those who have React
import { createElement, type ReactElement, useEffect, useRef } from 'react'
// oxlint-disable-next-line no-restricted-imports -- and its type
import { type CheckoutOptions, mount, type MountedCheckout } from './index.ts'

export { open } from './index.ts'
export type { CheckoutError, CheckoutEvent, CheckoutOptions, MountedCheckout } from './index.ts'

export interface CheckoutProps extends CheckoutOptions {
  className?: string | undefined
}

/** What a property goes back to when it is left out again. */
const NOTHING = {
  language: undefined,
  branding: undefined,
  onReady: undefined,
  onResize: undefined,
  onStatus: undefined,
  onAction: undefined,
  onComplete: undefined,
  onClose: undefined,
  onError: undefined,
}

/** A checkout in its own place. Listeners may change with every drawing; nothing loads again. */
export function Checkout({ className, ...options }: CheckoutProps): ReactElement {
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedCheckout>(null)

  useEffect(() => {
    const checkout = mount(place.current as HTMLDivElement, options)
    mounted.current = checkout
    return () => checkout.destroy()
    // It is made once; what changes is told below.
  }, [])

  useEffect(() => mounted.current?.update({ ...NOTHING, ...options }))

  return createElement('div', { ref: place, className })
}
