import type { Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Kysely } from 'kysely'
import about from '../package.json' with { type: 'json' }
import { type App, type AppParts, createApp } from './app.ts'
import { createClock, withClockOf } from './clock.ts'
import { loadPage } from './pay-page/document.ts'
import { settleCheckout } from './checkouts/on-settled.ts'
import { type Config, readConfig } from './config.ts'
import { createNamedLocks } from './db/named-locks.ts'
import { openMigrated } from './db/open-migrated.ts'
import type { OpenedDatabase } from './db/open.ts'
import { NO_PRESENCE, createPresence } from './db/presence.ts'
import { acquireServerLock } from './db/sqlite-file.ts'
import type { Tables } from './db/tables.ts'
import type { Deps } from './deps.ts'
import { EXPANSIONS } from './expansions.ts'
import { createFailpoint } from './failpoint.ts'
import { closeWithin } from './timeout.ts'
import { PROXY_HELP, isProxyUnknown } from './http/proxies.ts'
import { assetRoutes } from './http/assets.ts'
import { createHttpServer } from './http/http-server.ts'
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
import { healthRoutes } from './http/health.ts'
import { createLog, type Log } from './observe/log.ts'
import { type HasDiskSpace, watchDiskSpace } from './observe/disk-space.ts'
import { createSecurityEvents } from './observe/security-events.ts'
import { findClock } from './payments/attempts.ts'
import { expediteOrphans } from './payments/reconcile-queue.ts'
import { createSandbox, sandboxRoutes, type SandboxTables } from './processors/sandbox/index.ts'
import { watchEventLoopLag } from './observe/event-loop-lag.ts'
import type { Metrics } from './metrics.ts'
import { ROOT } from './root.ts'

export interface CheckstandOptions {
  /** Settings; read from the environment when left out. */
  config?: Config
  /** Epoch milliseconds; the system's clock when left out. */
  now?: () => number
  log?: Log
  /** Watches the disk of the database when left out. */
  hasDiskSpace?: HasDiskSpace
  /** SQLite only: false gives each transaction its own commit. For measuring. */
  groupCommit?: boolean
  /**
   * SQLite only: makes this the one server of the file before anything is written to it, rather than
   * when it starts.
   */
  serves?: boolean
}

export interface Checkstand {
  deps: Deps
  parts: AppParts
  mounts: App['mounts']
  /** Everything that answers or looks at a request, as the framework knows it. */
  routes: App['app']['routes']
  database: OpenedDatabase<Tables>
  /** `connection` is what Node's server knows of it; a request without one comes from here. */
  fetch: (request: Request, connection?: object) => Response | Promise<Response>
  /**
   * Listens, and begins to settle open payments. Answers the port, which PORT=0 leaves open. Throws
   * an Error in words for a person when there is a live instance and no word about proxies.
   */
  start: () => Promise<number>
  /** Finishes what has begun, then closes everything; throws when that takes too long. */
  close: () => Promise<void>
}

/** How long requests that have begun may take to finish when the server is asked to end. */
const DRAIN_MS = 25_000
/** How long all of the ending may take. */
const CLOSE_MS = 45_000

/**
 * The whole product as one object: migrates the database, loads the page, and answers requests
 * through `fetch`. The program itself is nothing more than this and `start` (architecture
 * section 0).
 */
export async function createCheckstand(options: CheckstandOptions = {}): Promise<Checkstand> {
  const config = options.config ?? readConfig()
  const log = options.log ?? createLog(config.logLevel)
  const clock = createClock(options.now ?? Date.now)
  let isServing = false
  const { database, held } = await openMigrated(config.databaseUrl, {
    groupCommit: options.groupCommit,
    log,
    isServing: () => isServing,
    serves: options.serves,
  })
  const lag = watchEventLoopLag()
  let draining = false
  const gates: (LoadGate | ConnectionGate)[] = []
  let presence = NO_PRESENCE
  try {
    const failpoint = createFailpoint(config.failpoint)
    const sandbox = createSandbox({
      // The sandbox is another house: it sees its own tables and nothing of ours.
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
      processors: new Map([[sandbox.name, sandbox]]),
      locks: createNamedLocks(database.db, database.kind),
      owner: () => presence.owner(),
      onSettled: settleCheckout,
      expand: createExpander(
        { db: database.db, now: clock.now, baseUrl: config.baseUrl },
        EXPANSIONS,
      ),
      failpoint,
    }
    const hasDiskSpace =
      options.hasDiskSpace ??
      watchDiskSpace({ path: database.path, freeMin: config.diskFreeMin, log })
    const rateLimits = {
      payers: createTokenBuckets(config.payerRate),
      callers: createTokenBuckets(config.apiRate),
    }
    const parts: AppParts = {
      page: await loadPage(dist),
      rateLimits,
      hasDiskSpace,
      assets: await assetRoutes(new URL('page/assets/', dist)),
      widget: await embedScriptRoutes(new URL('embed/', dist), {
        version: about.version,
        baseUrl: config.baseUrl,
      }),
      sandbox: sandboxRoutes(sandbox.gateway, {
        isOpen: () => hasTestInstance(database.db),
        refusedReal: () => deps.security.record('real_number_in_sandbox'),
        onClockOf: async (operation, work) =>
          withClockOf(await findClock(deps.db, operation), work),
      }),
      health: healthRoutes({
        ping: database.ping,
        hasDiskSpace,
        draining: () => draining,
        isFull: () => gates.some(({ isFull }) => isFull()),
        lagMs: lag.lagMs,
      }),
      count: (request) => metrics?.count(request),
    }
    const { app, mounts } = createApp(deps, parts)
    const listener = getRequestListener(app.fetch, {
      overrideGlobalObjects: false,
      // It would cut off a client that is still sending half a second after the answer.
      autoCleanupIncoming: false,
    })
    let server: Server | undefined
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
      async start() {
        if (isProxyUnknown(config) && (await hasLiveInstance(deps.db))) {
          throw new Error(PROXY_HELP)
        }
        if (database.path !== null) {
          letGo ??= acquireServerLock(database.path)
          await expediteOrphans(deps.db, clock.realNow())
        } else {
          presence = createPresence(config.databaseUrl, log)
        }
        if (config.metricsPort !== undefined) {
          // Whoever does not want them need not load what makes them.
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
          // A kept connection would keep sending requests to a server that is leaving.
          if (draining) response.setHeader('Connection', 'close')
          void listener(request, response)
        })
        server = createHttpServer(
          limitSlowReaders(closeUnreadBodies(load.listener), recordUnread(deps)),
        )
        gates.push(load, limitConnections(server, connectionSource(deps)))
        const port = await listen(server, config)
        isServing = true
        stopJobs = startJobs(deps, {
          hasDiskSpace,
          more: [
            {
              name: 'share limits',
              restMs: 1000,
              run: () => syncTokenBuckets({ ...deps, rateLimits }),
            },
            { name: 'prune sandbox tokens', restMs: 600_000, run: sandbox.gateway.pruneTokens },
          ],
        })
        return port
      },
      close() {
        const ending = async () => {
          draining = true
          lag.stop()
          if (server) await drain(server)
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

function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : config.port)
    })
  })
}

/** Takes no new connection, lets requests finish, and hangs up on idle ones until all are gone. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(patience)
      resolve()
    })
    server.closeIdleConnections()
  })
}
