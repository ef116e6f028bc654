import { useEffect } from 'preact/hooks'
import type { Attention } from '../../shared/schemas/attention.ts'
import { useInstance } from '../address.ts'
import { onLiveEvent } from '../api/live-events.ts'
import { invalidate, type Resource, useResource } from '../api/resource.ts'

/** What ends or begins by time alone, such as the life of a link, is seen after this long. */
const AGAIN_MS = 60_000
/** Events come in bursts, and counting costs more than an event. */
const AFTER_EVENT_MS = 20_000

/** Returns what needs attention in the instance of the screen. */
export function useAttention(): Resource<{ attention: Attention }> & { reload: () => void } {
  const { api } = useInstance()
  return useResource<{ attention: Attention }>(api('/attention'))
}

/** Asks again each minute and soon after events, while the page is visible. */
export function useFreshAttention(): void {
  const { api } = useInstance()
  const path = api('/attention')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      timer = undefined
      if (document.visibilityState === 'visible') invalidate((one) => one === path)
    }
    const interval = setInterval(ask, AGAIN_MS)
    const stop = onLiveEvent(() => {
      timer ??= setTimeout(ask, AFTER_EVENT_MS)
    })
    return () => {
      clearInterval(interval)
      clearTimeout(timer)
      stop()
    }
  }, [path])
}
