import { PAGE_ROWS } from '../../shared/list-query.ts'

/**
 * The state of a list stands in its address, so that Back, reload and bookmarks work:
 * `?tab=&q=&where=<criteria>&order=&cols=&page=&at=<id>`.
 */
export interface ListAddress {
  tab: string
  /** Text of the search box. */
  q: string
  /** Criteria of the API that the filters made, or that a pasted address brought. */
  where: string
  order: string
  /** Ids of the columns, separated by commas; empty for the standard ones. */
  cols: string
  /** 1 for the first page. */
  page: number
  /** The row whose panel is open. */
  at: string
}

const EMPTY: ListAddress = { tab: '', q: '', where: '', order: '', cols: '', page: 1, at: '' }

export function readListAddress(query: Readonly<Record<string, string>>): ListAddress {
  const page = Number(query['page'] ?? 1)
  return {
    tab: query['tab'] ?? '',
    q: query['q'] ?? '',
    where: query['where'] ?? '',
    order: query['order'] ?? '',
    cols: query['cols'] ?? '',
    at: query['at'] ?? '',
    page: Number.isInteger(page) && page >= 1 && page <= PAGES_MAX ? page : 1,
  }
}

/** Lists of the API end at this row. */
export const END_MAX = 5000
export const PAGES_MAX = END_MAX / PAGE_ROWS

/** Returns `path` with a list's state. Members of `change` replace those of `state`. */
export function listHref(path: string, state: ListAddress, change: Partial<ListAddress>): string {
  const next = { ...state, ...change }
  // Other rows: the page and the open row belong to the former ones.
  const sameRows = ['tab', 'q', 'where', 'order'].every((name) => !(name in change))
  if (!sameRows && !('page' in change)) next.page = 1
  if (!sameRows && !('at' in change)) next.at = ''
  const parameters = Object.entries(next).filter(
    ([name, value]) => value !== EMPTY[name as keyof ListAddress],
  )
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))
  return parameters.length === 0 ? path : `${path}?${query.toString()}`
}

/** Joins criteria, all of which must hold. */
export const both = (...criteria: readonly (string | undefined)[]): string =>
  criteria.filter(Boolean).join(',')

/** Escapes a value of criteria. */
export const criteriaValue = (text: string): string => text.replace(/[\\,;]/g, '\\$&')
