import { z } from 'zod'
import { currency, text, timeZone } from '../../shared/schemas/common.ts'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import { SEARCH_KINDS, type SearchKind, searchResponse } from '../../shared/schemas/search.ts'
import { totalsResponse } from '../../shared/schemas/totals.ts'
import { offsetsOf, parseSpan, periodsOf, zoneOf } from '../checkout-monitor/periods.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { restrictedCaller, type Route, type Router } from '../http/router.ts'
import { search, visibleKinds } from './search.ts'
import { buildTotals, sumTotals, timesOf, wholeSpan } from './totals.ts'

/** `/totals`: sums of money by day or hour. `/search`: records by what is known of them. */

const ROWS_MAX = 5000

const totals = {
  method: 'get',
  path: '/totals',
  tag: 'totals',
  operation: 'get_totals',
  summary: 'Sum payments and refunds',
  description:
    'Sums what was taken and given back in a time, in each currency. A payment counts when it ' +
    'succeeds or is declined, and a refund when it succeeds; one without an outcome does not count. ' +
    'Every day or hour of the time has a row for each currency that occurs in it. The sums follow a ' +
    'change within a second.',
  query: z.object({
    from: z.string().optional().meta({
      description:
        'A day, which begins in the time zone, or a time, rounded down to a quarter of an hour. By default 29 days before the last day.',
      example: '2026-01-01',
    }),
    to: z.string().optional().meta({
      description:
        'The last day, which is included, or a time, rounded up to a quarter of an hour. By default today; at most 400 days after `from`.',
      example: '2026-01-31',
    }),
    by: z.enum(['none', 'day', 'hour']).optional().meta({
      description: 'What each row sums: all, which is the default, a day or an hour.',
      example: 'day',
    }),
    timezone: timeZone.optional().meta({
      description: 'The time zone in which days begin. By default that of the instance, or UTC.',
      example: 'Europe/Paris',
    }),
    currency: currency.optional().meta({
      description: 'The only currency to sum. By default all that occur.',
    }),
  }),
  responses: { 200: totalsResponse, ...commonErrors },
} as const satisfies Route

const find = {
  method: 'get',
  path: '/search',
  tag: 'search',
  operation: 'search_records',
  summary: 'Search records',
  description:
    'Finds records by what one has at hand: an id, a key, a reference, the last four digits of a card, an ' +
    'amount, a name, an email. Words are found by their beginning, from two characters on; case and accents do ' +
    'not matter. Records that the caller may not read are left out. A change is found within a second.',
  byArea: true,
  query: z.object({
    q: text(200)
      .min(1)
      .meta({ description: 'What to search for. All its words must be found.', example: '4242' }),
    kinds: z
      .string()
      .optional()
      .meta({
        description: `Kinds of records, separated by commas: ${SEARCH_KINDS.map((kind) => `\`${kind}\``).join(', ')}. By default all.`,
        example: 'payment,refund',
      }),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(50)
      .optional()
      .meta({ description: 'Greatest number of results, at most 50. By default 20.', example: 5 }),
  }),
  responses: { 200: searchResponse, ...commonErrors },
} as const satisfies Route

function readKinds(list: string | undefined): SearchKind[] {
  if (list === undefined) return [...SEARCH_KINDS]
  const kinds = list.split(',').map((kind) => kind.trim())
  const unknown = kinds.find((kind) => !(SEARCH_KINDS as readonly string[]).includes(kind))
  if (unknown !== undefined) throw invalid('kinds', `has the unknown kind ${unknown}`)
  return kinds as SearchKind[]
}

export function insightRoutes(router: Router, deps: Deps): void {
  router.on(totals, async (c, { query: { by = 'none', timezone, currency: only, ...times } }) => {
    const instance = c.get('instance')
    const zone = zoneOf(timezone === undefined ? instance : { timezone })
    if (timezone !== undefined && zone !== timezone) {
      throw invalid('timezone', 'is a time zone that has no calendar')
    }
    const span = parseSpan(times, { now: deps.now(), zone })
    const offsets = offsetsOf(span, zone)
    const periods = by === 'none' ? [wholeSpan(span)] : timesOf(periodsOf(span, offsets, by), span)
    const sums = await deps.listReads.inTurn(instance.id, (turn) =>
      turn.read('from', (db) =>
        sumTotals(db, { instanceId: instance.id, span, by, offsets, currency: only }),
      ),
    )
    const rows = buildTotals(sums, periods, only)
    if (rows.length > ROWS_MAX) {
      throw invalid('currency', `is needed, because there are more than ${ROWS_MAX} rows`)
    }
    return c.json({ totals: rows })
  })
  router.on(find, async (c, { query: { q, kinds, limit = 20 } }) => {
    const { id: instanceId, default_currency: defaultCurrency } = c.get('instance')
    const wished = readKinds(kinds)
    const visible = visibleKinds(restrictedCaller(c)?.permitted, wished)
    const results = await deps.listReads.inTurn(instanceId, (turn) =>
      turn.read('q', (db) =>
        search(db, {
          instanceId,
          text: q,
          kinds: visible,
          limit,
          now: deps.now(),
          defaultCurrency,
        }),
      ),
    )
    return c.json({ results })
  })
}
