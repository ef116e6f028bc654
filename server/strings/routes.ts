import { z } from 'zod'
import { flatError } from '../../shared/schemas/error-bodies.ts'
import {
  stringResponse,
  stringsResponse,
  stringsPage,
  updateStringRequest,
  updateStringsRequest,
} from '../../shared/schemas/string.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { Deps } from '../deps.ts'
import { idempotentRepeatable } from '../http/idempotency.ts'
import { parsePagination, paginationParameters } from '../http/list-query.ts'
import { ApiError } from '../errors.ts'
import type { Route, Router } from '../http/router.ts'
import { stringIdError } from './catalog.ts'
import { requireLanguages } from './language-limit.ts'
import { listStrings } from './list.ts'
import { readScope } from './serialize.ts'
import { saveStrings } from './save.ts'
import { parseScope, requireScope, stringsError } from './scope.ts'

/** `/strings`, whose errors are flat. */

/** Under 10 MB, with a megabyte of a million bytes. */
export const STRINGS_BODY_BYTES_MAX = 9_999_999

const failures = { 400: flatError, 401: flatError, 404: flatError, 500: flatError }
const params = z.object({
  string_id: z.string().meta({ description: 'Id of the string.', example: 'methods.title' }),
})
/** Parameters that choose a language and branding. */
export const scopeParameters = {
  language: z.string().optional().meta({
    description: 'Two-letter ISO 639-1 code, or default for the base strings.',
    example: 'fr',
  }),
  branding: z.string().optional().meta({ description: 'Key of a branding of the instance.' }),
}

const flagParameter = z
  .string()
  .regex(/^[YNyn]$/, { error: 'must be Y or N' })
  .optional()

const update = {
  method: 'put',
  path: '/strings/:string_id',
  tag: 'strings',
  summary: 'Update a string',
  description:
    'Overrides one string in a language and branding. Sending the inherited text removes ' +
    'the override. Open sessions keep their strings.',
  params,
  ignoredParameters: Object.keys(scopeParameters),
  body: updateStringRequest,
  responses: { 200: stringResponse, ...failures },
} as const satisfies Route

const updateMany = {
  method: 'post',
  path: '/strings',
  tag: 'strings',
  operation: 'update_strings',
  summary: 'Update several strings',
  description:
    'Overrides several strings of one language and branding. An id of an unknown set ' +
    'rejects the whole request. Sets are saved one after another, so a failure leaves ' +
    'earlier sets saved; the same request can be sent again.',
  ignoredParameters: Object.keys(scopeParameters),
  body: updateStringsRequest,
  bodyBytesMax: STRINGS_BODY_BYTES_MAX,
  bodyKeysMax: 120_000,
  responses: { 200: stringsResponse, ...failures, 409: flatError, 422: flatError },
} as const satisfies Route

const list = {
  method: 'get',
  path: '/strings',
  tag: 'strings',
  summary: 'List strings',
  description: 'Lists the resolved strings of a language and branding.',
  query: z.object({
    ...scopeParameters,
    set: z.string().optional().meta({
      description: 'Only strings of this set, which is the part of their ids before the first dot.',
    }),
    overridden: flagParameter.meta({
      description: 'Y: only overridden strings. N: only strings that are not overridden.',
    }),
    stale: flagParameter.meta({
      description: 'Y: only strings that are stale. N: only strings that are not.',
    }),
    ...paginationParameters,
  }),
  responses: { 200: stringsPage, ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/strings/:string_id',
  tag: 'strings',
  summary: 'Get a string',
  description: 'Returns the resolved string of a language and branding.',
  params,
  query: z.object(scopeParameters),
  responses: { 200: stringResponse, ...failures },
} as const satisfies Route

function parseFlag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : /y/i.test(text)
}

export function stringRoutes(router: Router, deps: Deps): void {
  router.on(update, async (c, { params: { string_id: id }, body: { string } }) => {
    if (string.id !== undefined && string.id !== id) {
      throw stringsError('SVC-7001', 'string.id must be the id of the path or be omitted')
    }
    requireLanguages(c, [parseScope(string).language])
    const by = await callerActorSession(deps, c)
    const options = { by, path: 'string.' }
    const [saved] = await saveStrings(deps, c.get('instance'), [{ ...string, id }], options)
    return c.json({ string: saved })
  })

  router.on(updateMany, async (c, { body }) => {
    requireLanguages(
      c,
      body.strings.map((string) => parseScope(string).language),
    )
    const by = await callerActorSession(deps, c)
    return idempotentRepeatable(deps, c, async () => ({
      strings: await saveStrings(deps, c.get('instance'), body.strings, { by }),
    }))
  })

  router.on(list, async (c, { query }) => {
    return c.json(
      await listStrings(deps, c.get('instance'), {
        scope: parseScope(query),
        set: query.set,
        overridden: parseFlag(query.overridden),
        stale: parseFlag(query.stale),
        ...parsePagination(query),
      }),
    )
  })

  router.on(read, async (c, { params: { string_id: id }, query }) => {
    const instance = c.get('instance')
    const scope = parseScope(query)
    requireScope(instance, scope, '')
    if (stringIdError(id, scope.language)) throw new ApiError('NOT_FOUND', 'String not found')
    const recordOf = await readScope(deps.db, instance.id, scope, [id])
    return c.json({ string: recordOf(id) })
  })
}
