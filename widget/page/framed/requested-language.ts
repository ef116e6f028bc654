import { effect } from '@preact/signals'
import type { Checkout } from '../checkout.ts'

/**
 * Changes a resumed session to the language that the host page requests. Waits until the session is
 * open.
 */
export function applyRequestedLanguage(checkout: Checkout): void {
  const { language } = checkout.model.checkout
  if (!/[?&]language=/.test(location.search)) return
  const stop = effect(() => {
    if (checkout.connection.value !== 'open') return
    queueMicrotask(() => {
      stop()
      if (checkout.step.value === 'form' && checkout.checkout.value.language !== language) {
        void checkout.changeLanguage(language)
      }
    })
  })
}
