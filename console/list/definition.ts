import type { ComponentChildren } from 'preact'
import type { InstanceAddress } from '../address.ts'

/** One list of records: how it is asked for, shown and acted upon. */
export interface ListDefinition<Row> {
  /** Member of the response, and the path of the list: `payment_links`. */
  name: string
  title: string
  /** Identifies a row. */
  id: (row: Row) => string
  /** Address of the row's screen within the instance, such as `/links/pl_…`. */
  href: (row: Row) => string
  expand?: string
  /** `order` of the API; newest first when omitted. */
  order?: string
  /** Shows what all matches come to, by currency. */
  summed?: boolean
  tabs: readonly ListTab[]
  columns: readonly Column<Row>[]
  filters: readonly Filter[]
  /** Returns the criteria that a text in the search box means; undefined for a list without one. */
  search?: (text: string) => string
  /** What stands in an empty list: what will be here, one way to begin, the same by API. */
  empty: { text: string; action?: ComponentChildren; request?: string }
  /** Actions beside the title. */
  actions?: ComponentChildren
  /** The panel beside the list for one row. */
  peek?: (row: Row) => ComponentChildren
  /** What can be done with several rows. */
  bulk?: readonly BulkAction<Row>[]
  /** Actions of one row by a letter, such as `C` to copy. */
  rowKeys?: Readonly<Record<string, { label: string; run: (row: Row) => void }>>
}

export interface ListTab {
  id: string
  label: string
  /** Criteria of the API; empty for all. */
  criteria: string
}

export interface Column<Row> {
  id: string
  label: string
  /** Amounts and times are aligned at their end. */
  end?: boolean
  /** Shown unless the person chose other columns. */
  standard?: boolean
  /** The field of `order` that sorts by it. */
  field?: string
  cell: (row: Row, instance: InstanceAddress) => ComponentChildren
  /** What small screens show of it: beside the title, below it, or not at all. */
  small?: 'title' | 'end' | 'below' | 'none'
}

export interface Filter {
  /** Field of the criteria. */
  field: string
  label: string
  type: 'date' | 'amount' | 'text' | 'enum'
  options?: readonly { value: string; label: string }[]
}

export interface BulkAction<Row> {
  label: string
  icon: string
  /** The letter that asks for it, with Shift. */
  key?: string
  /** What is asked before. */
  title: (count: number) => string
  explain: string
  /** A text that it needs. */
  field?: { label: string; hint: string }
  /** Acts on one row, with the text of the field. Throws a RequestError; the rows after it then wait for another press. */
  run: (row: Row, text: string) => Promise<unknown>
  /** Paths of the API that have other records now, within the instance. */
  changes: readonly string[]
  done: (count: number) => string
  danger?: boolean
}
