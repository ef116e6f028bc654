import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { amountText } from '../../shared/rules/currency.ts'
import { compileCriteria } from '../criteria/compile.ts'
import type { Fields } from '../criteria/fields.ts'
import { compileOrder, parseOrder } from '../criteria/order.ts'
import { parseCriteria } from '../criteria/parse.ts'
import type { Db } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { expandParameter } from './expand.ts'
import { invalid } from '../errors.ts'

/** Parameters and results of all lists. */

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 1000
const END_MAX = 5000

const windowMembers = {
  limit: z.string().optional().meta({
    type: 'integer',
    minimum: 1,
    maximum: LIMIT_MAX,
    default: LIMIT_DEFAULT,
    description: 'How many records to return.',
  }),
  offset: z
    .string()
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      default: 0,
      description: `How many records to skip; together with limit at most ${END_MAX}.`,
    }),
}

/** Members of a route's `query`. `parseListQuery` and the expander validate them. */
export const listParameters = {
  criteria: z
    .string()
    .optional()
    .meta({
      description:
        'Conditions that must all hold, separated by commas: a field, an operator and a value. The ' +
        'operators are `=` (several values are separated by semicolons), `!=`, `~=` (contains), `<`, ' +
        '`<=`, `>`, `>=`, `<>` (between two values), `!` (is null) and `!!` (is not null).',
      example: 'created>=2026-01-01',
    }),
  order: z.string().optional().meta({
    description:
      'Fields to sort by, separated by commas, each ascending unless followed by `:desc`.',
    example: 'created:desc',
  }),
  expand: expandParameter,
  ...windowMembers,
}

/** Parameters of a list as CSV. */
export const csvParameters = {
  columns: z
    .string()
    .optional()
    .meta({
      description:
        'Columns of the CSV, separated by commas: members of the records, and with a dot those of a ' +
        'member, such as `account.email` with `expand=account`. All members by default.',
      example: 'id',
    }),
  timezone: z.string().optional().meta({
    description:
      'The time zone of the times in the CSV, which are then without an offset. By default times are in UTC.',
    example: 'Europe/Paris',
  }),
}

export const sumParameter = z.enum(['amount']).optional().meta({
  description: 'Adds `meta.sums`: what all matches come to, by currency.',
  example: 'amount',
})

/** Matches that are added up. */
const SUMMED_MAX = 100_000

/** The parameters of a list without criteria, for `parsePagination`. */
export const paginationParameters = windowMembers

export interface Pagination {
  /** 1 to 1000. */
  limit: number
  offset: number
}

/** A parsed list query for a store: `.where(list.where)`, then `readPage`. */
export interface ListQuery extends Pagination {
  where: RawBuilder<SqlBool>
  /** The fields in the criteria, for a list that excludes some records unless a field is used. */
  named: ReadonlySet<string>
  orderBy: RawBuilder<unknown>
  /** What to add up over all matches. */
  sum?: SummedColumns
  /** The number of matches, if it is known already: it is not counted again. */
  total?: number
  /** Only counts the matches, up to this many, and reads no rows. */
  countMax?: number
}

/** Columns of an amount in minor units and of its currency, such as `refunds.amount`. */
export interface SummedColumns {
  amount: string
  currency: string
}

/** What the matches of a list come to in one currency; `amount` is in minor units. */
export interface Sum {
  currency: string
  count: number
  amount: number
}

/** The rows of one page and the number of matches. */
export interface Page<Row> {
  rows: Row[]
  total: number
  /** Of a query with `sum`; null beyond SUMMED_MAX matches. */
  sums?: Sum[] | null
}

/** `meta` of a list. `total` counts all matches, including those that cannot be paged to. */
export const listMeta = z
  .strictObject({
    limit: z.int().meta({ description: 'The limit of the request.' }),
    offset: z.int().meta({ description: 'The offset of the request.' }),
    total: z.int().meta({ description: 'How many records match, including those on other pages.' }),
  })
  .meta({ description: 'The position of this page in the list.' })

export const summedListMeta = listMeta
  .extend({
    sums: z
      .array(
        z.strictObject({
          currency: z.string().meta({ description: 'The currency.', example: 'EUR' }),
          count: z.int().meta({ description: 'How many records match in this currency.' }),
          amount: z.string().meta({
            description: 'The sum of their amounts, as a decimal.',
            example: '120.50',
          }),
        }),
      )
      .nullable()
      .optional()
      .meta({
        description:
          'With `sum=amount`: the sum of all matches, one for each currency. Null when more than 100 000 match.',
      }),
  })
  .meta({ description: 'The position of this page in the list, and what all matches come to.' })

export type ListMeta = z.output<typeof summedListMeta>

type Given<Name extends string> = Partial<Record<Name, string | undefined>>

/**
 * Parses the parameters of a list against the fields of its resource. Throws a 400 ApiError that
 * names the parameter; values are never clamped.
 */
export function parseListQuery(
  query: Given<'criteria' | 'order' | 'limit' | 'offset'>,
  fields: Fields,
): ListQuery {
  const conditions = parseCriteria(query.criteria ?? '')
  return {
    where: compileCriteria(conditions, fields),
    named: new Set(conditions.map((condition) => condition.field)),
    orderBy: compileOrder(parseOrder(query.order), fields),
    ...parsePagination(query),
  }
}

/** Parses `limit` and `offset`. Throws a 400 ApiError that names the parameter. */
export function parsePagination(query: Given<'limit' | 'offset'>): Pagination {
  const limit = readWhole(query.limit ?? String(LIMIT_DEFAULT))
  if (limit === undefined || limit < 1 || limit > LIMIT_MAX) {
    throw invalid('limit', `must be a whole number from 1 to ${LIMIT_MAX}`)
  }
  const offset = readWhole(query.offset ?? '0')
  if (offset === undefined) throw invalid('offset', 'must be a whole number from 0')
  if (offset + limit > END_MAX) {
    throw invalid('offset', `plus limit must be at most ${END_MAX}, and limit is ${limit}`)
  }
  return { limit, offset }
}

/**
 * Reads one page of the rows that `matching` selects and the number of matches, in one snapshot.
 * The count query runs only if the number is not known and the page is full or beyond the last row.
 * Throws a 400 ApiError if the query exceeds its time limit or the rows are too large.
 */
export async function readPage<Database, TB extends keyof Database, Row>(
  turn: ListTurn,
  list: ListQuery,
  matching: (db: Db) => SelectQueryBuilder<Database, TB, Row>,
): Promise<Page<Simplify<Row>>> {
  return turn.read('criteria', async (db) => {
    const all = matching(db)
    if (list.countMax !== undefined) return countPage(db, all, list.countMax)
    const rows = await all.orderBy(list.orderBy).limit(list.limit).offset(list.offset).execute()
    if (list.total !== undefined) return { rows, total: list.total }
    const isLast = rows.length < list.limit && (rows.length > 0 || list.offset === 0)
    if (isLast) return withSums(all, list, { rows, total: list.offset + rows.length })
    const { total } = await all
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow()
    return withSums(all, list, { rows, total })
  })
}

async function countPage<Database, TB extends keyof Database, Row>(
  db: Db,
  all: SelectQueryBuilder<Database, TB, Row>,
  max: number,
): Promise<Page<never>> {
  const some = all.clearSelect().select(sql.lit(1).as('one')).limit(max)
  const { total } = await db
    .selectFrom(sql<object>`${some}`.as('matches'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: [], total: Number(total) }
}

async function withSums<Database, TB extends keyof Database, Row, Read extends Page<unknown>>(
  all: SelectQueryBuilder<Database, TB, Row>,
  { sum }: ListQuery,
  page: Read,
): Promise<Read> {
  if (!sum) return page
  if (page.total > SUMMED_MAX) return { ...page, sums: null }
  const [amount, currency] = [sql.ref(sum.amount), sql.ref<string>(sum.currency)]
  const sums = await all
    .clearSelect()
    .select([
      currency.as('currency'),
      sql<number>`count(*)`.as('count'),
      sql<number>`coalesce(sum(${amount}), 0)`.as('amount'),
    ])
    .groupBy(currency)
    .orderBy(currency)
    .$castTo<Sum>()
    .execute()
  return { ...page, sums }
}

export function listMetaOf(
  { limit, offset }: Pagination,
  total: number,
  sums?: readonly Sum[] | null,
): ListMeta {
  const texts = sums?.map(({ currency, count, amount }) => ({
    currency,
    count: Number(count),
    amount: amountText(Number(amount), currency),
  }))
  return { limit, offset, total, ...(sums !== undefined && { sums: texts ?? null }) }
}

/** Digits only: `Number` would also accept blanks, exponents and hexadecimal. */
function readWhole(text: string): number | undefined {
  return /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : undefined
}
