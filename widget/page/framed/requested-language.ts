import type { Checkout } from '../checkout.ts'
import { effect } from '../signal.ts'

/**
 * The language that the page around asks for goes before that of a session which this tab has had
 * before, once that has been taken up.
 */
export function keepLanguage({ checkout, connection, model, speak, view }: Checkout): void {
  const { language } = model.checkout
  if (!/[?&]language=/.test(location.search)) return
  const stop = effect(() => {
    if (connection.value !== 'open') return
    queueMicrotask(() => stop())
    if (view.value === 'FORM' && checkout.value.language !== language) void speak(language)
  })
}
