import { ApiFailure } from './api-failure.ts'
import { listAnswer } from './answers.ts'
import type { Call } from './route-table.ts'

/** What the routes share. */

/** Returns the members that a request asks to be expanded. */
export function expandOf({ body, query }: Call): string[] {
  const listed = body['expand']
  const asked = Array.isArray(listed) ? listed.map(String) : []
  return [...asked, ...[...query].filter(([name]) => name.startsWith('expand[')).map(([, v]) => v)]
}

/** Returns a page of a list, of what was made at the times that the request names. */
export function list(url: string, items: object[], query: URLSearchParams): object {
  const from = Number(query.get('created[gte]') ?? 0)
  const to = Number(query.get('created[lte]') ?? Infinity)
  const within = (items as { created: number }[]).filter(
    ({ created }) => created >= from && created <= to,
  )
  return listAnswer(url, within, Object.fromEntries(query))
}

export const newest = <T>(items: Map<string, T>): T[] => [...items.values()].toReversed()

export const missing = (what: string, id: string) =>
  new ApiFailure(404, { code: 'resource_missing', message: `No such ${what}: '${id}'` })
