import type { ListMeta } from '../api/lists.ts'
import { request } from '../api/request.ts'
import type { ListDefinition } from './definition.ts'
import { listQuery } from '../../shared/list-query.ts'
import { END_MAX } from './list-address.ts'
import type { ListAnswer } from './live-rows.ts'

/** Rows by their ids. Those of other pages belong to them too. */
export type Chosen<Row> = ReadonlyMap<string, Row>

export function choose<Row>(
  list: Pick<ListDefinition<Row>, 'id'>,
  rows: readonly Row[],
): Chosen<Row> {
  return new Map(rows.map((row) => [list.id(row), row]))
}

/** Rows of one request. */
const READ_ROWS = 1000

/** Returns whether all rows of a list can be read, and the page is not all. */
export const hasMore = ({ total }: ListMeta, rows: readonly unknown[]): boolean =>
  rows.length < total && total <= END_MAX

/** Reads all rows of a list that match. `path` is that of the list. Throws a RequestError. */
export async function chooseAll<Row>(
  list: Pick<ListDefinition<Row>, 'id' | 'name' | 'expand'>,
  path: string,
  { criteria, order }: { criteria: string; order: string | undefined },
): Promise<Chosen<Row>> {
  const rows: Row[] = []
  for (let page = 1; page <= END_MAX / READ_ROWS; page += 1) {
    const query = listQuery({ criteria, order, expand: list.expand, limit: READ_ROWS, page })
    const answer = await request<ListAnswer<Row>>('GET', `${path}?${query}`)
    rows.push(...(answer[list.name] ?? []))
    if (rows.length >= answer.meta.total) break
  }
  return choose(list, rows)
}
