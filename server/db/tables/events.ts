import type { Generated, Selectable } from 'kysely'

/** Written in the transaction of the change. */
export interface EventsTable {
  id: string
  instance_id: string
  type: string
  /** JSON object with the record under its singular name. */
  data: string
  /** 1 until deliveries to the subscribed endpoints exist. */
  fan_out: number
  /** Id of the record in `data`; null for data without one, and before ids were noted. */
  about: Generated<string | null>
  created: string
  /** Set by PostgreSQL: the transaction that inserted the event. */
  position: Generated<number | null>
}

export type EventRow = Selectable<EventsTable>
