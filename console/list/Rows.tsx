import { useInstance } from '../address.ts'
import { t } from './list-words.ts'
import { choose, type Chosen } from './chosen.ts'
import type { Column, ListDefinition } from './definition.ts'
import type { ListAddress } from './list-address.ts'
import { Icon } from '../ui/Icon.tsx'
import { isSmallScreen, usePainted } from '../ui/first-frame.ts'

interface RowsProps<Row> {
  list: ListDefinition<Row>
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  state: ListAddress
  go: (change: Partial<ListAddress>, replace?: boolean) => void
  chosen: Chosen<Row>
  setChosen: (chosen: Chosen<Row>) => void
}

/** The rows as a table; two-line items on small screens. */
export function Rows<Row>({ list, columns, rows, state, go, chosen, setChosen }: RowsProps<Row>) {
  const instance = useInstance()
  const ids = rows.map((row) => list.id(row))
  const drawn = useDrawn(rows)
  const all = ids.length > 0 && ids.every((id) => chosen.has(id))
  return (
    <table class="rows">
      <caption class="visually-hidden">{list.title}</caption>
      <thead>
        <tr>
          {list.bulk && (
            <th class="choose">
              <input
                type="checkbox"
                aria-label={t('choose_all')}
                checked={all}
                onChange={() => setChosen(all ? new Map() : choose(list, rows))}
              />
            </th>
          )}
          {columns.map((column) => (
            <Heading key={column.id} column={column} state={state} list={list} go={go} />
          ))}
        </tr>
      </thead>
      <tbody>
        {drawn.map((row, at) => {
          const id = list.id(row)
          return (
            <tr
              // By place: another page changes the rows that are there, which takes half as long.
              key={at}
              data-row={id}
              class={`${state.at === id ? 'is-at' : ''} ${chosen.has(id) ? 'is-chosen' : ''}`}
              onClick={(event) => {
                if (!list.peek || (event.target as Element).closest('a, button, input')) return
                go({ at: state.at === id ? '' : id }, true)
              }}
            >
              {list.bulk && (
                <td class="choose">
                  <input
                    type="checkbox"
                    aria-label={t('choose')}
                    checked={chosen.has(id)}
                    onChange={() => {
                      const next = new Map(chosen)
                      if (!next.delete(id)) next.set(id, row)
                      setChosen(next)
                    }}
                  />
                </td>
              )}
              {columns.map(({ id: column, end, cell, small = 'none' }, index) => (
                <td key={column} class={`${end ? 'end' : ''} small-${small}`}>
                  {index === 0 ? (
                    <a href={instance.screen(list.href(row))}>{cell(row, instance)}</a>
                  ) : (
                    cell(row, instance)
                  )}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Pixels of what stands above the rows at least, and of a row. */
const ABOVE_ROWS = 180
const ROW_HEIGHT = { small: 64, wide: 36 }

/** Returns the rows to draw: at first those that the screen shows, and after the first frame all. */
function useDrawn<Row>(rows: readonly Row[]): readonly Row[] {
  if (usePainted()) return rows
  const height = isSmallScreen() ? ROW_HEIGHT.small : ROW_HEIGHT.wide
  return rows.slice(0, Math.ceil((innerHeight - ABOVE_ROWS) / height))
}

function Heading<Row>({
  column: { label, end, field },
  state,
  list,
  go,
}: {
  column: Column<Row>
  state: ListAddress
  list: ListDefinition<Row>
  go: (change: Partial<ListAddress>) => void
}) {
  const [ordered, direction] = (state.order || list.order || 'created:desc').split(':')
  const isOrdered = field !== undefined && ordered === field
  const descending = direction === 'desc'
  return (
    <th
      scope="col"
      class={end ? 'end' : ''}
      aria-sort={isOrdered ? (descending ? 'descending' : 'ascending') : undefined}
    >
      {field === undefined ? (
        label
      ) : (
        <button
          type="button"
          onClick={() => go({ order: `${field}${isOrdered && descending ? '' : ':desc'}` })}
        >
          {label}
          {isOrdered && (
            <span class={descending ? 'sorted' : 'sorted up'}>
              <Icon name="chevron-down" size={14} />
            </span>
          )}
        </button>
      )}
    </th>
  )
}
