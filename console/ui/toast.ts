import { signal } from '@preact/signals'

export interface Toast {
  id: number
  text: string
  action?: { label: string; run: () => void }
}

const SHOWN_MS = 6000

/** The messages that are shown now, oldest first. */
export const toasts = signal<readonly Toast[]>([])

let count = 0

/** Tells what was done, for a moment. Errors belong beside what failed, not here. */
export function toast(text: string, action?: Toast['action']): void {
  count += 1
  const id = count
  toasts.value = [...toasts.value.slice(-2), { id, text, ...(action && { action }) }]
  setTimeout(() => {
    toasts.value = toasts.value.filter((one) => one.id !== id)
  }, SHOWN_MS)
}
