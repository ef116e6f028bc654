import { createServer } from 'node:http'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import { abandonedBefore } from './payments/call-processor.ts'
import { countUnresolved } from './payments/reconcile-queue.ts'
import type { MeasuredRequest } from './http/request-log.ts'
import { countWaitingMails } from './mail/outbox.ts'
import { type SecurityEvents } from './observe/security-events.ts'
import { SECURITY_EVENTS } from './security-event-types.ts'
import { countWaitingDeliveries } from './webhooks/deliveries.ts'

/** Seconds: from a read in memory to a slow processor. */
const BUCKETS = [0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]

export interface Metrics {
  count: (request: MeasuredRequest) => void
  close: () => Promise<void>
}

/** What is counted besides requests. */
export interface MetricsSource {
  db: Db
  config: Config
  security: Pick<SecurityEvents, 'counts'>
  /** Epoch milliseconds. */
  now: () => number
  stats: () => { commits: number; transactions: number }
}

/**
 * Serves `/metrics` in the Prometheus format on its own port, which is for operators and not for
 * the internet. Open work is read from the database at each scrape. The metrics contain only
 * counts, no data of merchants, payers or links.
 */
export async function startMetrics(
  at: { host: string; port: number },
  source: MetricsSource,
): Promise<Metrics> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'checkstand_request_duration_seconds',
    help: 'How long requests took, by the pattern of their route.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  countDatabase(registry, source)
  countWaiting(registry, source)
  countSecurityEvents(registry, source)

  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      // The database is unreachable; monitors treat a failed scrape as an alarm.
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`METRICS_PORT, METRICS_HOST: ${error.message}`, { cause: error })),
    )
    server.listen(at.port, at.host, resolve)
  })
  return {
    count({ seconds, ...labels }) {
      durations.observe(labels, seconds)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function countDatabase(registry: Registry, { stats }: MetricsSource): void {
  for (const name of ['commits', 'transactions'] as const) {
    const counter: Counter = new Counter({
      name: `checkstand_database_${name}_total`,
      help: `Database ${name} of this process.`,
      registers: [registry],
      collect() {
        counter.reset()
        counter.inc(stats()[name])
      },
    })
  }
}

/** All events from the start, including zeros: an alarm on an increase needs a first value. */
function countSecurityEvents(registry: Registry, { security }: MetricsSource): void {
  const counter: Counter<'event'> = new Counter({
    name: 'checkstand_security_events_total',
    help: 'What this process refused in its own defence.',
    labelNames: ['event'],
    registers: [registry],
    collect() {
      counter.reset()
      const counts = security.counts()
      for (const event of SECURITY_EVENTS) counter.inc({ event }, counts.get(event) ?? 0)
    },
  })
}

/** Waiting work: its amount and the age of the oldest. */
function countWaiting(registry: Registry, { db, config, now }: MetricsSource): void {
  const waiting = {
    unresolved_operations: {
      help: 'Operations with an unknown outcome',
      look: () => countUnresolved(db, abandonedBefore({ config }, now())),
    },
    waiting_mails: {
      help: 'Mails that no mail server has accepted yet',
      look: () => countWaitingMails(db),
    },
    waiting_webhooks: {
      help: 'Webhooks that are yet to be taken',
      look: () => countWaitingDeliveries(db),
    },
  }
  for (const [name, { help, look }] of Object.entries(waiting)) {
    const readings = {
      '': { help: `${help}.`, of: ({ count }: Waiting) => count },
      _oldest_seconds: {
        help: `${help}: the age of the oldest.`,
        of: ({ oldest }: Waiting) =>
          oldest === null ? 0 : Math.max(0, now() - Date.parse(oldest)) / 1000,
      },
    }
    for (const [end, reading] of Object.entries(readings)) {
      const gauge: Gauge = new Gauge({
        name: `checkstand_${name}${end}`,
        help: reading.help,
        registers: [registry],
        async collect() {
          gauge.set(reading.of(await look()))
        },
      })
    }
  }
}

interface Waiting {
  count: number
  /** Date-time. */
  oldest: string | null
}
