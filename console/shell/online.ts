import { signal } from '@preact/signals'

/** Whether the browser has a connection. */
export const online = signal(navigator.onLine)

for (const event of ['online', 'offline']) {
  addEventListener(event, () => {
    online.value = navigator.onLine
  })
}
