import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { StringScope } from '../../../shared/rules/inherit.ts'
import { stringStem } from '../../../shared/rules/string-ids.ts'
import { intlLanguage, type Strings } from '../../../shared/rules/wording.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Pill } from '../../ui/Pill.tsx'
import type { Draft } from './draft.ts'
import { isSame } from './sentence.ts'
import { LanguagesDialog } from './LanguagesDialog.tsx'
import type { Resolution } from './resolution.ts'
import { useNotes } from './sentence-notes.ts'
import { isLoaded } from './shipped.ts'
import { TABLE_FILTERS, type TableFilter, tableRows } from './table-rows.ts'
import { languageName, t } from './wording-words.ts'
import { WordingCell } from './WordingCell.tsx'
import './wording-table.css'

const ROWS_SHOWN = 60

/** A cell of the grid: a row, and a column; column 0 holds the ids. */
interface Cell {
  row: number
  column: number
}

/**
 * Every sentence side by side in its base and any languages, also those of mails and tasks. A grid (APG):
 * one stop of the Tab key, arrows move, Enter edits, Escape leaves.
 */
export function WordingTable({
  branding,
  languages,
  shown,
  resolution,
  shipped,
  draft,
  version,
  isInState,
  isWritable,
  onShown,
  onChoose,
}: {
  branding: string
  /** All that can be shown. */
  languages: readonly string[]
  /** Those that are, beside the base. */
  shown: readonly string[]
  resolution: Resolution
  shipped: Readonly<Record<string, Strings>>
  draft: Draft
  version: number
  /** Whether the state of the page that is chosen shows a sentence. */
  isInState: (id: string) => boolean
  isWritable: (language: string) => boolean
  onShown: (languages: readonly string[]) => void
  onChoose: (id: string) => void
}) {
  const { query } = useLocation()
  const notes = useNotes()
  const base = shipped['default'] ?? {}
  const [search, setSearch] = useState(query['find'] ?? '')
  const [filter, setFilter] = useState<TableFilter>(
    TABLE_FILTERS.find((each) => each === query['show']) ?? 'all',
  )
  const [limit, setLimit] = useState(ROWS_SHOWN)
  const [isChoosing, setChoosing] = useState(false)
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<Cell>()
  const [focused, setFocused] = useState<Cell>()
  const grid = useRef<HTMLTableElement>(null)
  const columns = useMemo(
    () => ['default', ...shown.filter((each) => isLoaded(shipped, each))],
    [shown.join(), shipped],
  )
  const noteOf = (id: string) => notes[stringStem(base, id)] ?? ''
  const ids = useMemo(
    () =>
      tableRows({
        resolution,
        changes: draft.changes,
        branding,
        languages: columns,
        searched: languages.filter((each) => isLoaded(shipped, each)),
        search,
        filter,
        isInState,
        noteOf,
      }),
    [resolution, branding, columns, search, filter, isInState, notes],
  )
  const rows = ids.slice(0, limit)
  useEffect(() => setActive({ row: 0, column: 0 }), [search, filter, columns])
  const texts = useMemo(
    () =>
      columns.map((each) => {
        const scope = { branding, language: each }
        const [known, own] = [new Set(resolution.ids(each)), new Set(resolution.own(scope))]
        return { scope, known, own, coverage: coverage(scope, resolution, shipped) }
      }),
    [columns, branding, resolution, shipped],
  )

  function focus({ row, column }: Cell): void {
    const next = {
      row: Math.max(0, Math.min(rows.length - 1, row)),
      column: Math.max(0, Math.min(columns.length, column)),
    }
    setActive(next)
    setEdited(undefined)
    setFocused(next)
  }
  // A cell that was edited can have the focus once it shows its text again.
  useEffect(() => {
    if (!focused) return
    const name = `${focused.row} ${focused.column}`
    grid.current?.querySelector<HTMLElement>(`[data-cell="${name}"]`)?.focus()
    setFocused(undefined)
  }, [focused])

  function edit(cell: Cell): void {
    const of = columns[cell.column - 1]
    setActive(cell)
    if (of !== undefined && isWritable(of)) setEdited(cell)
  }

  function press(event: KeyboardEvent): void {
    if (edited) return
    const { row, column } = active
    const jump = event.ctrlKey || event.metaKey
    const steps: Record<string, Cell> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      Home: { row: jump ? 0 : row, column: 0 },
      End: { row: jump ? rows.length - 1 : row, column: columns.length },
      PageDown: { row: row + 10, column },
      PageUp: { row: row - 10, column },
    }
    const next = steps[event.key]
    if (next) focus(next)
    else if ((event.key === 'Enter' && !jump) || event.key === 'F2') {
      if (column === 0) onChoose(rows[row] ?? '')
      else edit(active)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="wording-table">
      <div class="wording-filter" role="search">
        <TextField type="search" label={t('search')} value={search} onInput={setSearch} />
        <SelectField
          label={t('filter')}
          value={filter}
          options={TABLE_FILTERS.map((value) => ({ value, label: t(`filter_${value}`) }))}
          onChange={(value) => setFilter(value as TableFilter)}
        />
        <Button icon="columns-3" onClick={() => setChoosing(true)}>
          {t('languages_shown', { count: columns.length })}
        </Button>
      </div>
      {isChoosing && (
        <LanguagesDialog
          languages={languages}
          shown={shown}
          onSave={(chosen) => {
            setChoosing(false)
            onShown(chosen)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
      {rows.length === 0 ? (
        <p class="muted">{t('none_found')}</p>
      ) : (
        <>
          <div class="wording-rows">
            <table ref={grid} role="grid" aria-label={t('view_table')} onKeyDown={press}>
              <thead>
                <tr>
                  <th scope="col">{t('id')}</th>
                  {texts.map(({ scope, coverage: counts }) => (
                    <th key={scope.language} scope="col">
                      {languageName(scope.language)}
                      <small>{counts}</small>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((id, row) => (
                  <tr key={id}>
                    <th
                      scope="row"
                      data-cell={`${row} 0`}
                      tabIndex={active.row === row && active.column === 0 ? 0 : -1}
                      onFocus={() => setActive({ row, column: 0 })}
                    >
                      <button type="button" class="link" tabIndex={-1} onClick={() => onChoose(id)}>
                        {id}
                      </button>
                      <small>{noteOf(id)}</small>
                    </th>
                    {texts.map(({ scope, known, own }, at) => {
                      const cell = { row, column: at + 1 }
                      const is = ({ row: of, column }: Cell) => of === row && column === at + 1
                      const sentence = { ...scope, id }
                      return (
                        <WordingCell
                          key={scope.language}
                          name={`${row} ${at + 1}`}
                          id={id}
                          text={known.has(id) ? resolution.text(scope, id) : undefined}
                          language={intlLanguage(scope.language)}
                          base={base}
                          isActive={is(active)}
                          isEdited={edited !== undefined && is(edited)}
                          isWritable={isWritable(scope.language)}
                          isOwn={own.has(id)}
                          onFocus={() => setActive(cell)}
                          onEdit={() => edit(cell)}
                          onLeave={(by) => {
                            if (by) focus({ row: row + by.row, column: at + 1 + by.column })
                            else setEdited(undefined)
                          }}
                          onText={(text) => {
                            const was = resolution.publishedText(sentence)
                            draft.set(sentence, text, { version, was })
                          }}
                        >
                          {resolution.stale(scope, id) && <Pill tone="wait">{t('stale')}</Pill>}
                          {draft.changes.some((change) => isSame(change, sentence)) && (
                            <Pill tone="news">{t('not_published')}</Pill>
                          )}
                        </WordingCell>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {ids.length > limit && (
            <Button onClick={() => setLimit(limit + ROWS_SHOWN)}>{t('more')}</Button>
          )}
        </>
      )}
    </div>
  )
}

/** How much of a language ships, is the merchant's own, and is stale. */
function coverage(
  scope: StringScope,
  resolution: Resolution,
  shipped: Readonly<Record<string, Strings>>,
): string {
  const ids = new Set(resolution.ids(scope.language))
  const ships = Object.keys(shipped[scope.language] ?? {}).filter((id) => ids.has(id)).length
  const [own, stale] = [resolution.own(scope).length, resolution.staleIds(scope).length]
  return [
    t('count_shipped', { count: ships }),
    own > 0 && t('count_own', { count: own }),
    stale > 0 && t('count_stale', { count: stale }),
  ]
    .filter(Boolean)
    .join(' · ')
}
