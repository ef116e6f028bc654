import type { RawBuilder, SelectQueryBuilder, Simplify, SqlBool } from 'kysely'
import { z } from 'zod'
import { compileCriteria } from '../criteria/compile.ts'
import type { Fields } from '../criteria/fields.ts'
import { compileOrder, parseOrder } from '../criteria/order.ts'
import { parseCriteria } from '../criteria/parse.ts'
import type { Db, Tables } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { expandParameter } from './expand.ts'
import { invalid } from '../errors.ts'

/** What every list has in common (specification: Common conventions for list endpoints). */

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

/**
 * Members of a route's `query`, to be spread into its object. `readList` checks what they hold,
 * and the expander what `expand` does.
 */
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

/** The same for a list without criteria: read by `readWindow`. */
export const paginationParameters = windowMembers

export interface Pagination {
  /** 1 to 1000 records. */
  limit: number
  /** Records to skip before the first one. */
  offset: number
}

/** A list as a store runs it: `.where(list.where)`, handed to `readPage`. */
export interface ListQuery extends Pagination {
  where: RawBuilder<SqlBool>
  /** The fields that the criteria name, for a list that leaves something out unless it is asked for. */
  named: ReadonlySet<string>
  orderBy: RawBuilder<unknown>
}

/** The rows that a list shows, and how many match in all. */
export interface Page<Row> {
  rows: Row[]
  total: number
}

/** `meta` of a list's answer; `total` counts every match, also beyond what can be reached. */
export const listMeta = z
  .strictObject({
    limit: z.int().meta({ description: 'How many records were asked for at most.' }),
    offset: z.int().meta({ description: 'How many records were skipped.' }),
    total: z.int().meta({ description: 'How many records match in all, also beyond this page.' }),
  })
  .meta({ description: 'Which part of the list this is.' })

export type ListMeta = z.output<typeof listMeta>

type Given<Name extends string> = Partial<Record<Name, string | undefined>>

/**
 * Reads the four parameters of a list against the fields of its resource. Throws a 400 ApiError
 * that names the parameter; nothing is clamped (contract sections 15.1 to 15.3).
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

/** Reads `limit` and `offset`. Throws a 400 ApiError that names the one at fault (section 15.3). */
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
 * One page of the rows that `matching` selects, and how many there are in all, both of one moment.
 * They are counted only where the page itself does not say: it is full, or lies beyond the last row.
 * Throws a 400 ApiError for what the database needs too long for, and for rows that are too large.
 */
export async function readPage<TB extends keyof Tables, Row>(
  turn: ListTurn,
  list: ListQuery,
  matching: (db: Db) => SelectQueryBuilder<Tables, TB, Row>,
): Promise<Page<Simplify<Row>>> {
  return turn.read('criteria', async (db) => {
    const all = matching(db)
    const rows = await all.orderBy(list.orderBy).limit(list.limit).offset(list.offset).execute()
    const isLast = rows.length < list.limit && (rows.length > 0 || list.offset === 0)
    if (isLast) return { rows, total: list.offset + rows.length }
    const { total } = await all
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow()
    return { rows, total }
  })
}

/** `meta` for a window on `total` records. */
export function listMetaOf({ limit, offset }: Pagination, total: number): ListMeta {
  return { limit, offset, total }
}

/** Plain digits only: `Number` takes blanks, exponents and hexadecimal for a number too. */
function readWhole(text: string): number | undefined {
  return /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : undefined
}
