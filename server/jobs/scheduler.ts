import { evaluateAlerts } from '../checkout-monitor/evaluate-alerts.ts'
import { foldCounts } from '../checkout-monitor/fold-changes.ts'
import { closeExpiredSessions } from '../checkouts/close-sessions.ts'
import { pruneTaskSessions } from '../deep-link-tasks/session.ts'
import { pruneBundles, pruneCheckouts } from '../checkouts/prune.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { SEARCH_INTERVAL_MS, createOrphanSearch } from '../payments/orphaned-attempts.ts'
import { syncReversals } from '../payments/sync-reversals.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { syncDueSetups } from '../method-setups/sync.ts'
import { withRealClock } from '../clock.ts'
import { isSqlite } from '../db/dialect.ts'
import type { Deps } from '../deps.ts'
import type { HasDiskSpace } from '../observe/disk-space.ts'
import { pruneAudit } from '../audit/prune.ts'
import { pruneEvents } from '../events/prune.ts'
import { pruneIdempotencyKeys } from '../http/idempotency-store.ts'
import { pruneBuckets } from '../rate-limits/token-bucket-sync.ts'
import { pruneCounters } from '../rate-limits/counters.ts'
import { pruneGrants } from '../oauth/prune.ts'
import { cancelOrphans } from '../processor-connections/cancel-orphans.ts'
import { pruneNotices } from '../processor-connections/record-notice.ts'
import { forgetDue } from '../payment-methods/forget.ts'
import { recordDeepLinkExpiries } from '../deep-links/expire.ts'
import { recordExpiries } from '../payment-links/expire.ts'
import { createMailDeliverer } from '../mail/deliver.ts'
import { pruneMails } from '../mail/outbox.ts'
import { queueExpiringCards } from '../mail/queue-expiring-cards.ts'
import { createSmtp } from '../mail/smtp.ts'
import type { SmtpServer } from '../smtp-url.ts'
import { finishErasures } from '../privacy/erase-traces.ts'
import { removeAddresses } from '../privacy/remove-addresses.ts'
import { pruneSessions } from '../users/prune.ts'
import { jobSignals } from '../events/job-signals.ts'
import { runAtInterval, type IntervalTask } from './interval.ts'
import { runTestClocks } from './test-clocks.ts'
import { createDeliverer } from '../webhooks/deliver.ts'
import { fileChanges, fileOlder } from '../insights/file.ts'
import { fanOutEvents } from '../webhooks/fan-out.ts'

export interface Job {
  name: string
  intervalMs: number
  run: (deps: Deps) => Promise<unknown>
  /** Pauses while the disk is nearly full. */
  needsDiskSpace?: true
}

const WEBHOOKS_INTERVAL_MS = 200
const MAIL_INTERVAL_MS = 1000

export const JOBS: readonly Job[] = [
  // A run without due attempts is one probe of a small index.
  { name: 'reconcile', intervalMs: 500, run: reconcileDue },
  { name: 'sync set-ups', intervalMs: 1000, run: syncDueSetups },
  // Each processor declares how often its disputes are read; this is the greatest delay.
  { name: 'read reversals', intervalMs: 5000, run: syncReversals },
  { name: 'make charges', intervalMs: 1000, run: createDueCharges, needsDiskSpace: true },
  { name: 'collect charges', intervalMs: 1000, run: collectDue, needsDiskSpace: true },
  { name: 'forget methods', intervalMs: 10_000, run: forgetDue },
  { name: 'cancel orphans', intervalMs: 3_600_000, run: cancelOrphans },
  { name: 'record expiries', intervalMs: 1000, run: recordExpiries },
  { name: 'record deep link expiries', intervalMs: 1000, run: recordDeepLinkExpiries },
  { name: 'close sessions', intervalMs: 1000, run: closeExpiredSessions },
  { name: 'evaluate alerts', intervalMs: 5000, run: evaluateAlerts },
  { name: 'fold counts', intervalMs: 2000, run: foldCounts },
  { name: 'file changes', intervalMs: 500, run: fileChanges },
  { name: 'prune sessions', intervalMs: 3_600_000, run: pruneCheckouts },
  { name: 'prune tasks', intervalMs: 3_600_000, run: pruneTaskSessions },
  { name: 'prune bundles', intervalMs: 3_600_000, run: pruneBundles },
  { name: 'prune idempotency keys', intervalMs: 600_000, run: pruneIdempotencyKeys },
  { name: 'prune counters', intervalMs: 600_000, run: pruneCounters },
  { name: 'prune buckets', intervalMs: 600_000, run: pruneBuckets },
  { name: 'prune grants', intervalMs: 3_600_000, run: pruneGrants },
  { name: 'prune sign-ins', intervalMs: 3_600_000, run: pruneSessions },
  { name: 'prune notices', intervalMs: 3_600_000, run: pruneNotices },
  { name: 'announce expiring cards', intervalMs: 600_000, run: (deps) => queueExpiringCards(deps) },
  { name: 'prune mails', intervalMs: 3_600_000, run: pruneMails },
  { name: 'finish erasures', intervalMs: 600_000, run: finishErasures },
  { name: 'remove addresses', intervalMs: 3_600_000, run: removeAddresses },
  { name: 'prune audit', intervalMs: 3_600_000, run: pruneAudit },
  { name: 'prune events', intervalMs: 3_600_000, run: pruneEvents },
]

/** Runs the jobs above for the instances whose test clock was moved. */
const TEST_CLOCKS: Job = {
  name: 'run test clocks',
  intervalMs: 500,
  run: runTestClocks,
  needsDiskSpace: true,
}

/**
 * Starts the jobs; `more` are those of the processors. Returns a function that stops them and waits
 * for runs in progress.
 */
export function startJobs(
  deps: Deps,
  {
    hasDiskSpace = () => true,
    more = [],
  }: { hasDiskSpace?: HasDiskSpace; more?: readonly Job[] } = {},
): () => Promise<void> {
  const start = ({ name, intervalMs, run, needsDiskSpace }: Job) => {
    const runOnce = async () => {
      if (!needsDiskSpace || hasDiskSpace()) await withRealClock(() => run(deps))
    }
    return runAtInterval({ name, intervalMs, run: runOnce }, deps.log)
  }
  const orphans = isSqlite(deps.db) ? [] : [findOrphans()]
  const jobs = [...JOBS, ...orphans, ...more].map(start)
  const clocks = start(TEST_CLOCKS)
  jobSignals.on('clock', clocks.runSoon)
  const older = fileOlderRecords(start)
  const stopWebhooks = startWebhooks(deps, start)
  const stopMail = deps.config.mail && startMail(deps, deps.config.mail.server, start)
  return async () => {
    jobSignals.off('clock', clocks.runSoon)
    await Promise.all([
      ...[...jobs, clocks, older].map(({ stop }) => stop()),
      stopWebhooks(),
      stopMail?.(),
    ])
  }
}

/**
 * Files what was there before an upgrade, a few records at a time with pauses of four times as long, so that
 * requests hardly notice and a shutdown does not wait.
 */
function fileOlderRecords(start: (job: Job) => IntervalTask): IntervalTask {
  const task = start({
    name: 'file older records',
    intervalMs: 500,
    run: async (deps) => {
      if ((await fileOlder(deps)) > 0) task.runSoon()
    },
  })
  return task
}

/** On SQLite, the server finds the orphans of its predecessor when it starts. */
function findOrphans(): Job {
  return { name: 'find orphans', intervalMs: SEARCH_INTERVAL_MS, run: createOrphanSearch() }
}

/**
 * Fans out events and sends deliveries: immediately after a commit of this process, and within two
 * intervals after a commit of another one. A run starts the due deliveries without waiting for
 * them, because receivers may be slow. Each finished attempt triggers the next run.
 */
function startWebhooks(deps: Deps, start: (job: Job) => IntervalTask): () => Promise<void> {
  const fanOut = start({
    name: 'fan out events',
    intervalMs: WEBHOOKS_INTERVAL_MS,
    run: fanOutEvents,
  })
  const deliverer = createDeliverer(deps, undefined, () => deliver.runSoon())
  const deliver = start({
    name: 'deliver webhooks',
    intervalMs: WEBHOOKS_INTERVAL_MS,
    run: deliverer.start,
  })
  jobSignals.on('event', fanOut.runSoon).on('delivery', deliver.runSoon)
  return async () => {
    jobSignals.off('event', fanOut.runSoon).off('delivery', deliver.runSoon)
    await Promise.all([fanOut.stop(), deliver.stop()])
    await deliverer.drain()
  }
}

/** Sends due mails: soon after a commit of this process, and within a second after another one's. */
function startMail(
  deps: Deps,
  server: SmtpServer,
  start: (job: Job) => IntervalTask,
): () => Promise<void> {
  const deliverer = createMailDeliverer(deps, createSmtp(server), () => send.runSoon())
  const send = start({ name: 'send mail', intervalMs: MAIL_INTERVAL_MS, run: deliverer.start })
  jobSignals.on('mail', send.runSoon)
  return async () => {
    jobSignals.off('mail', send.runSoon)
    await send.stop()
    await deliverer.drain()
  }
}
