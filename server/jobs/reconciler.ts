import type { Deps } from '../deps.ts'
import { reconcileDue } from '../checkouts/reconcile.ts'

const TICK_MS = 500

/**
 * Asks processors about open attempts for as long as the server runs. One look when nothing is due
 * is one probe of a small index. Answers a function that stops it and waits for its last round.
 */
export function startReconciler(deps: Deps): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  const tick = async () => {
    try {
      await reconcileDue(deps)
    } catch (error) {
      deps.log.error({ err: error }, 'reconciling failed')
    }
    if (!stopped) timer = setTimeout(run, TICK_MS)
  }
  const run = () => {
    round = tick()
  }
  run()

  return async () => {
    stopped = true
    clearTimeout(timer)
    await round
  }
}
