import { z } from 'zod'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import type { Fields } from '../criteria/fields.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps, ListTurn } from '../deps.ts'
import { invalid } from '../errors.ts'
import { csvResponse, wantsCsv } from './csv-list.ts'
import { expandParameter, readExpanded } from './expand.ts'
import {
  csvParameters,
  type ListQuery,
  listMeta,
  listParameters,
  type Page,
  parseListQuery,
  type SummedColumns,
  summedListMeta,
  sumParameter,
} from './list-query.ts'
import { listResponse } from './list-response.ts'
import { restrictedCaller, type Route, type Router } from './router.ts'
import type { RestrictedCaller } from './scopes.ts'

/** A resource whose records can be listed. */
export interface ListedCollection<Row> {
  /** Members of the responses: `['refund', 'refunds']`. The path of the list is `/refunds`. */
  name: readonly [one: string, many: string]
  /** The names in prose, when they differ from `name`. */
  title?: readonly [one: string, many: string]
  /** The kind of its records in `EXPANSIONS`, when it differs from `name`. */
  kind?: string
  /** Open to every caller: `list` and `get` return what the areas of the caller permit. */
  byArea?: true
  /** One record. */
  schema: z.ZodType
  description?: { list?: string; get?: string }
  /** The `order` of a request without one; newest first by default. */
  order?: string
  /** Fields for `criteria` and `order`; `now` is epoch milliseconds. */
  filters: Fields | ((now: number) => Fields)
  /** The columns of the amount that `sum=amount` adds up, and of its currency. */
  sum?: SummedColumns
  list: (
    turn: ListTurn,
    instanceId: string,
    list: ListQuery,
    caller: RestrictedCaller | undefined,
  ) => Promise<Page<Row>>
  /** Returns the records of some rows, in their order. */
  serialize: (
    rows: readonly Row[],
    context: { instance: Instance; now: number; caller: RestrictedCaller | undefined },
  ) => readonly object[] | Promise<readonly object[]>
}

/** A resource whose records can be listed and read. */
export interface Collection<Row> extends ListedCollection<Row> {
  /** The path parameter of one record; `id` by default. */
  params?: z.ZodObject
  /** Returns a record. Throws a 404 ApiError when the instance does not have it. */
  get: (
    instanceId: string,
    idOrKey: string,
    caller: RestrictedCaller | undefined,
  ) => Promise<object>
}

/** Mounts `GET /refunds` and `GET /refunds/:id`. */
export function collectionRoutes<Row>(
  router: Router,
  deps: Deps,
  collection: Collection<Row>,
): void {
  listRoute(router, deps, collection)
  const { name, title = titleOf(name), kind = name[0], schema } = collection
  const params: z.ZodObject = collection.params ?? z.object({ id: z.string() })
  const [parameter = 'id'] = Object.keys(params.shape)
  const route = {
    method: 'get',
    path: `/${name[1]}/:${parameter}`,
    tag: tagOf(name),
    summary: `Get ${withArticle(title[0])}`,
    description: collection.description?.get ?? `Returns the ${title[0]} with this id.`,
    params,
    ...(collection.byArea && { byArea: collection.byArea }),
    query: z.object({ expand: expandParameter }),
    responses: { 200: z.strictObject({ [name[0]]: schema }), ...commonErrors },
  } as const satisfies Route

  router.on(route, async (c, { params, query }) => {
    const { id: instanceId } = c.get('instance')
    const expansion = { kind, instanceId, expand: query.expand }
    const record = await readExpanded(deps.expand, expansion, () =>
      collection.get(instanceId, params[parameter] as string, restrictedCaller(c)),
    )
    return c.json({ [name[0]]: record })
  })
}

/** Mounts `GET /refunds`. */
export function listRoute<Row>(
  router: Router,
  deps: Deps,
  collection: ListedCollection<Row>,
): void {
  const { name, title = titleOf(name), kind = name[0], schema, filters, order, sum } = collection
  const filtersAt = (now: number) => (typeof filters === 'function' ? filters(now) : filters)
  const records = z.array(schema).meta({ description: `The ${title[1]} of this page of the list.` })
  const route = {
    method: 'get',
    path: `/${name[1]}`,
    tag: tagOf(name),
    summary: `List ${title[1]}`,
    description:
      collection.description?.list ??
      `Lists the ${title[1]} that match the criteria, newest first by default.`,
    query: z.object({
      ...listParameters,
      ...csvParameters,
      ...(sum ? { sum: sumParameter } : {}),
    }),
    fields: Object.keys(filtersAt(0)),
    csv: true,
    ...(collection.byArea && { byArea: collection.byArea }),
    responses: {
      200: z.strictObject({ [name[1]]: records, meta: sum ? summedListMeta : listMeta }),
      ...commonErrors,
    },
  } as const satisfies Route
  const members = schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined

  router.on(route, async (c, { query }) => {
    const instance = c.get('instance')
    const now = deps.now()
    const list: ListQuery = {
      ...parseListQuery({ ...query, order: query.order ?? order }, filtersAt(now)),
      ...(sum && query.sum !== undefined && { sum }),
    }
    const caller = restrictedCaller(c)
    const expansion = { kind, instanceId: instance.id, expand: query.expand }
    const serialize = async (rows: readonly Row[]) =>
      deps.expand(expansion, await collection.serialize(rows, { instance, now, caller }))
    if (wantsCsv(c)) {
      requireNone(query, ['limit', 'offset', 'sum'], 'does not apply to CSV')
      return csvResponse(deps, c, {
        name: name[1],
        members,
        fields: [...list.named],
        columns: query.columns,
        timezone: query.timezone,
        id: (row) => (row as { id: string }).id,
        read: (turn, page) => collection.list(turn, instance.id, { ...list, ...page }, caller),
        serialize,
      })
    }
    requireNone(query, ['columns', 'timezone'], 'applies to CSV only: send Accept: text/csv')
    return listResponse(deps, c, {
      name: name[1],
      pagination: list,
      read: (turn) => collection.list(turn, instance.id, list, caller),
      serialize,
    })
  })
}

/** Throws a 400 ApiError that names the first of the parameters that a request has. */
function requireNone(
  query: Readonly<Record<string, unknown>>,
  names: readonly string[],
  rule: string,
): void {
  const given = names.find((name) => query[name] !== undefined)
  if (given !== undefined) throw invalid(given, rule)
}

/** `payment_methods` as prose and as a tag. */
function titleOf([one, many]: readonly [string, string]): readonly [string, string] {
  return [one.replaceAll('_', ' '), many.replaceAll('_', ' ')]
}

function tagOf([, many]: readonly [string, string]): string {
  return many.replaceAll('_', '-')
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
