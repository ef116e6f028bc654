import { pruneBundles } from '../checkouts/prune.ts'
import { reconcileDue } from '../checkouts/reconcile.ts'
import type { Deps } from '../deps.ts'

/** What the server does by itself, and how long it rests between two rounds. */
const JOBS: { name: string; restMs: number; run: (deps: Deps) => Promise<unknown> }[] = [
  // One look when nothing is due is one probe of a small index.
  { name: 'reconcile', restMs: 500, run: reconcileDue },
  { name: 'prune bundles', restMs: 3_600_000, run: pruneBundles },
]

/**
 * Runs the jobs for as long as the server runs. A round that fails is logged, and the next one
 * comes all the same. Answers a function that stops them and waits for rounds that have begun.
 */
export function startJobs(deps: Deps): () => Promise<void> {
  const stops = JOBS.map((job) => repeat(deps, job))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function repeat(deps: Deps, job: (typeof JOBS)[number]): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  const tick = async () => {
    try {
      await job.run(deps)
    } catch (error) {
      deps.log.error({ err: error, job: job.name }, 'job failed')
    }
    if (!stopped) timer = setTimeout(begin, job.restMs)
  }
  const begin = () => {
    round = tick()
  }
  begin()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await round
  }
}
