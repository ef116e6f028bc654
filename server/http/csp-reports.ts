import { Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { readBytes } from './body.ts'
import { createTokenBuckets } from '../rate-limits/token-bucket.ts'

/**
 * `POST /csp`: browsers say what the policy of the payer's page had to stop (safety row 1). It may
 * be an attack on the page, or a bug of ours, or the payer's own browser extension.
 *
 * Anybody can send anything here. So a report becomes one short line with a directive and two
 * origins, never an address: that of the page is a link's secret. There are so many a minute and
 * no more, and whatever was sent, the answer is the same.
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

/** The part of a report that may be logged; undefined for what is no report. */
function readReport(bytes: Buffer): Report | undefined {
  const report = memberOf(parse(bytes), 'csp-report')
  const directive =
    memberOf(report, 'effective-directive') ?? memberOf(report, 'violated-directive')
  // Some browsers send the whole directive, with its (origin === 'null' ? protocol : origin).slice(0, 200)s.
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

/** An origin; a scheme alone, such as `data` or `chrome-extension`; a word such as `inline`. */
function originOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  if (/^[a-z-]{1,30}$/.test(value)) return value
  if (!URL.canParse(value)) return 'unknown'
  const { origin, protocol } = new URL(value)
  return (origin === 'null' ? protocol : origin).slice(0, 200)
}
