import { Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { readBytes } from './body.ts'
import { createTokenBuckets } from '../rate-limits/token-bucket.ts'

/**
 * `POST /csp` receives the reports of browsers on violations of the page's policy: an attack, a
 * defect of the page, or a browser extension.
 *
 * Anyone can send anything here. A report becomes one short log line with a directive and two
 * origins, never a URL, because the URL of the page is a secret. Lines are limited per minute, and
 * every request gets the same response.
 */

const REPORT_BYTES_MAX = 16_384
const LINES_PER_MINUTE = 60

export function reportRoutes(deps: Pick<Deps, 'log' | 'now'>): Hono {
  const lines = createTokenBuckets(LINES_PER_MINUTE)
  const app = new Hono()
  app.post('/', async (c) => {
    const report = readReport(await readBytes(c, REPORT_BYTES_MAX))
    if (report && lines.take('all', deps.now()) === 0) {
      deps.log.warn(report, 'a page broke its policy')
    }
    return c.body(null, 204)
  })
  return app
}

interface Report {
  directive: string
  blocked: string
  source: string
}

/** Returns the part of a report that may be logged; undefined if it is not a report. */
function readReport(bytes: Buffer): Report | undefined {
  const report = memberOf(parse(bytes), 'csp-report')
  const directive =
    memberOf(report, 'effective-directive') ?? memberOf(report, 'violated-directive')
  // Some browsers send the whole directive with its sources.
  const name = /^[a-z-]{1,40}/.exec(typeof directive === 'string' ? directive : '')?.[0]
  if (name === undefined) return undefined
  return {
    directive: name,
    blocked: originOf(memberOf(report, 'blocked-uri')),
    source: originOf(memberOf(report, 'source-file')),
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** Returns an origin, a scheme such as `data`, or a keyword such as `inline`. */
function originOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  if (/^[a-z-]{1,30}$/.test(value)) return value
  if (!URL.canParse(value)) return 'unknown'
  const { origin, protocol } = new URL(value)
  return (origin === 'null' ? protocol : origin).slice(0, 200)
}
