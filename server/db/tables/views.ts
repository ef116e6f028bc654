import type { Selectable } from 'kysely'

/** Views of lists that all users of an instance share. */
export interface ViewsTable {
  id: string
  instance_id: string
  name: string
  list: string
  query: string
  created_session: string
  created: string
}

export type ViewRow = Selectable<ViewsTable>
