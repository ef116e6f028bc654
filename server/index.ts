import { getRequestListener } from '@hono/node-server'
import type { Kysely } from 'kysely'
import about from '../package.json' with { type: 'json' }
import { type App, type AppParts, createApp } from './app.ts'
import { createExportRecorder } from './audit/record-export.ts'
import { createClock, withClockOf } from './clock.ts'
import { loadPage, loadTaskPage } from './pay-page/document.ts'
import { settleCheckout } from './checkouts/on-settled.ts'
import { settleTrial } from './checkouts/on-trial-settled.ts'
import { type Config, readConfig } from './config.ts'
import { createNamedLocks } from './db/named-locks.ts'
import { openMigrated, type OpenMigratedOptions } from './db/open-migrated.ts'
import type { OpenedDatabase } from './db/open.ts'
import { NO_PRESENCE, createPresence } from './db/presence.ts'
import { acquireServerLock } from './db/sqlite-file.ts'
import type { Tables } from './db/tables.ts'
import { lockTaskOfSetup, settleTask } from './deep-link-tasks/on-setup-settled.ts'
import type { Deps } from './deps.ts'
import { resetForeignPositions } from './event-stream/store.ts'
import { EXPANSIONS } from './expansions.ts'
import { createFailpoint } from './failpoint.ts'
import { closeWithin } from './timeout.ts'
import { PROXY_HELP, isProxyUnknown } from './http/proxies.ts'
import { docsRoutes } from './docs/routes.ts'
import { assetRoutes } from './http/assets.ts'
import { drainer } from './http/drain.ts'
import { createHttpServer } from './http/http-server.ts'
import { listen } from './http/listeners.ts'
import { shedLoad, type LoadGate } from './http/load-shedding.ts'
import { type ConnectionGate, limitConnections } from './http/connections.ts'
import { limitSlowReaders } from './http/slow-readers.ts'
import { closeUnreadBodies } from './http/unread-body.ts'
import { embedScriptRoutes } from './http/embed-script.ts'
import { createExpander } from './http/expand.ts'
import { newSecret } from './auth/secrets.ts'
import { hasLiveInstance, hasTestInstance } from './instances/store.ts'
import { startJobs } from './jobs/scheduler.ts'
import { readKeyedDigest } from './db/keyed-digest.ts'
import { connectionSource, loadLimits, recordUnread } from './http/server-limits.ts'
import { syncTokenBuckets } from './rate-limits/token-bucket-sync.ts'
import { createTokenBuckets } from './rate-limits/token-bucket.ts'
import { createListReads } from './http/list-reads.ts'
import { queueRefund, queueSettled, queueTrial } from './mail/queue-settled.ts'
import { healthRoutes } from './http/health.ts'
import { createLog, type Log } from './observe/log.ts'
import { type HasDiskSpace, watchDiskSpace } from './observe/disk-space.ts'
import { createSecurityEvents } from './observe/security-events.ts'
import { findClock } from './payments/attempts.ts'
import { expediteOrphanedSetups, findSetupClock } from './method-setups/store.ts'
import { expediteOrphans } from './payments/reconcile-queue.ts'
import { createConnector } from './processors/connect.ts'
import { createAuthenticationRecorder } from './processor-connections/record-authentication.ts'
import { warnOfForeignScript } from './processor-connections/foreign-script.ts'
import { logUnreadableSecrets } from './processor-connections/unreadable-secrets.ts'
import { createProcessors } from './processors/registry.ts'
import { createSandbox, sandboxRoutes, type SandboxTables } from './processors/sandbox/index.ts'
import { watchEventLoopLag } from './observe/event-loop-lag.ts'
import type { Metrics } from './metrics.ts'
import { loadConsole } from './console/built-console.ts'
import { ROOT } from './root.ts'

export interface CheckstandOptions extends Pick<
  OpenMigratedOptions,
  'groupCommit' | 'busyMs' | 'serves'
> {
  /** Read from the environment by default. */
  config?: Config
  /** Epoch milliseconds; the system clock by default. */
  now?: () => number
  log?: Log
  /** Watches the disk of the database by default. */
  hasDiskSpace?: HasDiskSpace
}

export interface Checkstand {
  deps: Deps
  parts: AppParts
  mounts: App['mounts']
  /** Every handler and middleware, as registered in Hono. */
  routes: App['app']['routes']
  database: OpenedDatabase<Tables>
  /** `connection` is the request context of Node's server; a request without one is local. */
  fetch: (request: Request, connection?: object) => Response | Promise<Response>
  /**
   * Listens and starts the jobs. Returns the port. `/readyz` says no until `warmUp` has settled. Throws
   * an Error with instructions for the operator if a live instance needs TRUST_PROXY.
   */
  start: (warmUp?: () => Promise<void>) => Promise<number>
  /** Finishes pending requests and closes everything. Throws if that takes too long. */
  close: () => Promise<void>
}

/** How long the whole shutdown may take. */
const CLOSE_MS = 45_000

/**
 * Creates the server: migrates the database, loads the page, and handles requests through `fetch`.
 */
export async function createCheckstand(options: CheckstandOptions = {}): Promise<Checkstand> {
  const config = options.config ?? readConfig()
  const log = options.log ?? createLog(config.logLevel)
  const clock = createClock(options.now ?? Date.now)
  let isServing = false
  const { database, releaseServerLock: held } = await openMigrated(config.databaseUrl, {
    groupCommit: options.groupCommit,
    busyMs: options.busyMs,
    serves: options.serves,
    log,
    isServing: () => isServing,
  })
  const lag = watchEventLoopLag()
  let draining = false
  let warmingUp = false
  const gates: (LoadGate | ConnectionGate)[] = []
  let presence = NO_PRESENCE
  try {
    const failpoint = createFailpoint(config.failpoint)
    const sandbox = createSandbox({
      // The sandbox only accesses its own tables.
      db: database.db as unknown as Kysely<SandboxTables>,
      now: clock.now,
      baseUrl: config.baseUrl,
      settleMs: config.sandboxSettleMs,
      newToken: newSecret,
      failpoint,
    })
    const dist = new URL('dist/', ROOT)
    const security = createSecurityEvents({ log, now: clock.realNow })
    const deps: Deps = {
      db: database.db,
      listReads: createListReads(database.reads, { security }),
      config,
      log,
      security,
      ...clock,
      keyedDigest: await readKeyedDigest(database.db),
      processors: createProcessors(database.db, {
        builtIn: [sandbox],
        connect: createConnector({
          db: database.db,
          config,
          log,
          now: clock.realNow,
          failpoint,
          onAuthentication: createAuthenticationRecorder(() => deps),
        }),
        now: clock.realNow,
        log,
      }),
      locks: createNamedLocks(database.db, database.kind),
      owner: () => presence.owner(),
      onSettled: async (settling, tx, settled) => {
        const afterCommit = await settleCheckout(settling, tx, settled)
        await queueSettled(settling, tx, settled)
        return afterCommit
      },
      onRefunded: queueRefund,
      lockSetup: lockTaskOfSetup,
      onSetupSettled: async (settling, tx, setup, at) => {
        const afterCommit = await settleTrial(settling, tx, setup, at)
        await settleTask(settling, tx, setup, at)
        await queueTrial(settling, tx, setup)
        return afterCommit
      },
      expand: createExpander(
        { db: database.db, now: clock.now, baseUrl: config.baseUrl },
        EXPANSIONS,
      ),
      recordExport: createExportRecorder({ db: database.db, realNow: clock.realNow }),
      failpoint,
    }
    await resetForeignPositions(database.db)
    const hasDiskSpace =
      options.hasDiskSpace ??
      watchDiskSpace({ path: database.path, freeMin: config.diskFreeMin, log })
    const rateLimits = {
      payers: createTokenBuckets(config.payerRate),
      callers: createTokenBuckets(config.apiRate),
    }
    const parts: AppParts = {
      page: await loadPage(dist),
      taskPage: await loadTaskPage(dist),
      console: loadConsole(dist),
      rateLimits,
      hasDiskSpace,
      draining: () => draining,
      assets: assetRoutes(
        new URL('page/assets/', dist),
        new URL('task/assets/', dist),
        new URL('console/assets/', dist),
        new URL('preview/assets/', dist),
      ),
      docs: docsRoutes(dist, config),
      widget: embedScriptRoutes(new URL('embed/', dist), {
        version: about.version,
        baseUrl: config.baseUrl,
      }),
      sandbox: sandboxRoutes(sandbox.gateway, {
        isOpen: () => hasTestInstance(database.db),
        refusedReal: () => deps.security.record('real_number_in_sandbox'),
        onClockOf: async (operation, work) =>
          withClockOf(
            (await findSetupClock(deps.db, operation)) ?? (await findClock(deps.db, operation)),
            work,
          ),
      }),
      health: healthRoutes({
        ping: database.ping,
        hasDiskSpace,
        draining: () => draining,
        isFull: () => gates.some(({ isFull }) => isFull()),
        warmingUp: () => warmingUp,
        lagMs: lag.lagMs,
      }),
      count: (request) => metrics?.count(request),
    }
    const { app, mounts } = createApp(deps, parts)
    const listener = getRequestListener(app.fetch, {
      // It would disconnect a client that is still sending half a second after the response.
      autoCleanupIncoming: false,
      // A request of HTTP/1.0 has none, such as a probe of a load balancer. No link begins with it.
      hostname: 'no-host.invalid',
    })
    let drain: (() => Promise<void>) | undefined
    let stopJobs: (() => Promise<void>) | undefined
    let letGo = held
    let metrics: Metrics | undefined
    return {
      deps,
      parts,
      mounts,
      routes: app.routes,
      database,
      fetch: app.fetch,
      async start(warmUp) {
        if (isProxyUnknown(config) && (await hasLiveInstance(deps.db))) {
          throw new Error(PROXY_HELP)
        }
        await logUnreadableSecrets(deps)
        await warnOfForeignScript(deps)
        if (database.path !== null) {
          letGo ??= acquireServerLock(database.path, options.busyMs)
          await expediteOrphans(deps.db, clock.realNow())
          await expediteOrphanedSetups(deps.db, clock.realNow())
        } else {
          presence = await createPresence(config.databaseUrl, log)
        }
        if (config.metricsPort !== undefined) {
          // Loaded only if needed.
          const { startMetrics } = await import('./metrics.ts')
          const at = { host: config.metricsHost, port: config.metricsPort }
          const { db, security } = deps
          metrics = await startMetrics(at, {
            db,
            security,
            config,
            now: clock.realNow,
            stats: database.stats,
          })
        }
        const load = shedLoad(loadLimits(deps), (request, response) => {
          // A kept-alive connection would send further requests to a server that is shutting down.
          if (draining) response.setHeader('Connection', 'close')
          void listener(request, response)
        })
        const server = createHttpServer(
          limitSlowReaders(closeUnreadBodies(load.listener), recordUnread(deps)),
        )
        const drainServer = drainer(server)
        gates.push(load, limitConnections(server, connectionSource(deps)))
        warmingUp = warmUp !== undefined
        const { port, stop } = await listen(server, config)
        drain = () => drainServer(stop)
        isServing = true
        stopJobs = startJobs(deps, {
          hasDiskSpace,
          more: [
            {
              name: 'share limits',
              intervalMs: 1000,
              run: () => syncTokenBuckets({ ...deps, rateLimits }),
            },
            { name: 'prune sandbox tokens', intervalMs: 600_000, run: sandbox.gateway.pruneTokens },
          ],
        })
        void warmUp?.().finally(() => (warmingUp = false))
        return port
      },
      close() {
        const ending = async () => {
          draining = true
          lag.stop()
          await drain?.()
          await stopJobs?.()
          await metrics?.close()
          await presence.close()
          await database.close()
          letGo?.()
        }
        return closeWithin(ending(), { ms: CLOSE_MS, log })
      },
    }
  } catch (error) {
    lag.stop()
    await database.close()
    held?.()
    throw error
  }
}
