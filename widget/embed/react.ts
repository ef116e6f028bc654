// oxlint-disable-next-line no-restricted-imports -- the wrapper for React
import { createElement, type ReactElement, useEffect, useRef } from 'react'
// oxlint-disable-next-line no-restricted-imports -- the wrapper for React
import { type CheckoutOptions, mount, type MountedCheckout } from './index.ts'

export { open, preload } from './index.ts'
export type * from './options.ts'

export interface CheckoutProps extends CheckoutOptions {
  className?: string | undefined
}

/** Resets a property that the next render omits. */
const DEFAULTS = {
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

/** An inline checkout. Listeners may change with every render without a reload. */
export function Checkout({ className, ...options }: CheckoutProps): ReactElement {
  const container = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedCheckout>(null)

  useEffect(() => {
    const checkout = mount(container.current as HTMLDivElement, options)
    mounted.current = checkout
    return () => checkout.destroy()
    // Mounted once; the next effect passes changes on.
  }, [])

  useEffect(() => mounted.current?.update({ ...DEFAULTS, ...options }))

  return createElement('div', { ref: container, className })
}
