import { preferences } from '../preferences.ts'
import type { ListDefinition } from './definition.ts'
import type { ListAddress } from './list-address.ts'

/** Returns the ids of the columns that a list has unless its user or its address says otherwise. */
export function standardColumns<Row>(list: ListDefinition<Row>): string[] {
  return list.columns.filter(({ standard }) => standard !== false).map(({ id }) => id)
}

/** Returns the ids of the columns to show, in their order: of the address, else of the user. */
export function shownColumns<Row>(list: ListDefinition<Row>, { cols }: ListAddress): string[] {
  const own = preferences.value.columns[list.name]
  const wished = cols === '' ? (own ?? standardColumns(list)) : cols.split(',')
  const known = list.columns.map(({ id }) => id).filter((id) => wished.includes(id))
  // Columns of another release, or of a mistyped address.
  return known.length === 0 ? standardColumns(list) : known
}
