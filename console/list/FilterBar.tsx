import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { preferences, useSavePreferences } from '../preferences.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { CheckField, SelectField, TextField } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import { Menu } from '../ui/Menu.tsx'
import { ActionError } from '../ui/States.tsx'
import { type Condition, parseConditions, printConditions } from './conditions.ts'
import type { Filter, ListDefinition } from './definition.ts'
import type { ListAddress } from './list-address.ts'
import { t } from './list-words.ts'
import { shownColumns, standardColumns } from './shown-columns.ts'

const SEARCH_WAIT_MS = 250

/** The search box, the filters as chips that are edited in place, and the choice of columns. */
export function FilterBar<Row>({
  list,
  state,
  go,
  children,
}: {
  list: ListDefinition<Row>
  state: ListAddress
  go: (change: Partial<ListAddress>, replace?: boolean) => void
  /** Further tools, before the choice of columns. */
  children?: ComponentChildren
}) {
  const conditions = parseConditions(state.where)
  const [edited, setEdited] = useState<number>()
  const [choosing, setChoosing] = useState(false)
  const put = (at: number, condition: Condition | undefined) => {
    const next = conditions.toSpliced(at, 1, ...(condition ? [condition] : []))
    setEdited(undefined)
    go({ where: printConditions(next) })
  }
  return (
    <div class="filter-bar" role="search">
      {list.search && <SearchBox value={state.q} onChange={(q) => go({ q }, true)} />}
      {conditions.map((condition, at) => (
        <span class="chip" key={at}>
          <button type="button" onClick={() => setEdited(at)}>
            {describe(condition, list.filters)}
          </button>
          <button type="button" aria-label={t('remove_filter')} onClick={() => put(at, undefined)}>
            <Icon name="x" size={14} />
          </button>
        </span>
      ))}
      {list.filters.length > 0 && (
        <Menu
          kind="bare"
          label={t('add_filter_hint')}
          trigger={
            <span class="chip add">
              <Icon name="plus" size={14} /> {t('filter')}
            </span>
          }
          items={list.filters.map(({ field, label, type, options }) => ({
            label,
            run: () => {
              const operator = type === 'enum' ? '=' : type === 'text' ? '~=' : '>='
              const added: Condition = { field, operator, values: options ? [] : [''] }
              go({ where: printConditions([...conditions, added].filter(hasValue)) })
              setEdited(conditions.length)
              setDraft(added)
            },
          }))}
        />
      )}
      <span class="filter-tools">
        {children}
        <IconButton icon="columns-3" label={t('columns')} onClick={() => setChoosing(true)} />
      </span>
      {edited !== undefined && (
        <ConditionDialog
          condition={(conditions[edited] ?? draft) as Condition}
          filters={list.filters}
          onSave={(condition) => put(edited, condition)}
          onClose={() => setEdited(undefined)}
        />
      )}
      {choosing && (
        <ColumnsDialog list={list} state={state} go={go} onClose={() => setChoosing(false)} />
      )}
    </div>
  )
}

/** The condition that a new filter begins with; it is in the address only once it has a value. */
let draft: Condition | undefined

function setDraft(condition: Condition): void {
  draft = condition
}

const hasValue = (condition: Condition | string): boolean =>
  typeof condition === 'string' || condition.values.some((value) => value !== '')

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(value)
  // What comes back from here leaves what was typed since.
  useEffect(() => {
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  return (
    <label class="list-search">
      <Icon name="search" />
      <span class="visually-hidden">{t('search')}</span>
      <input
        type="search"
        value={typed}
        placeholder={t('search')}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => {
            sent.current = currentTarget.value.trim()
            onChange(sent.current)
          }, SEARCH_WAIT_MS)
        }}
      />
      <Keys keys="/" />
    </label>
  )
}

function describe(condition: Condition | string, filters: readonly Filter[]): string {
  if (typeof condition === 'string') return condition
  const filter = filters.find(({ field }) => field === condition.field)
  const name = filter?.label ?? condition.field
  const values = condition.values
    .map((value) => filter?.options?.find((option) => option.value === value)?.label ?? value)
    .join(', ')
  return t(`operator_${OPERATOR_IDS[condition.operator]}`, { name, value: values })
}

const OPERATOR_IDS = {
  '=': 'is',
  '!=': 'is_not',
  '~=': 'contains',
  '>=': 'from',
  '<=': 'to',
  '>': 'above',
  '<': 'below',
  '<>': 'between',
  '!': 'empty',
  '!!': 'not_empty',
} as const

function ConditionDialog({
  condition,
  filters,
  onSave,
  onClose,
}: {
  condition: Condition
  filters: readonly Filter[]
  onSave: (condition: Condition) => void
  onClose: () => void
}) {
  const [edited, setEdited] = useState(condition)
  const filter = filters.find(({ field }) => field === condition.field)
  const type = filter?.type ?? 'text'
  const operators: Condition['operator'][] =
    type === 'enum'
      ? ['=', '!=']
      : type === 'text'
        ? ['~=', '=', '!=', '!', '!!']
        : ['>=', '<=', '<>']
  const value = edited.values[0] ?? ''
  return (
    <Dialog
      title={filter?.label ?? condition.field}
      onClose={onClose}
      footer={
        <Button kind="primary" type="submit" form="condition">
          {t('apply')}
        </Button>
      }
    >
      <form
        id="condition"
        class="condition"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(edited)
        }}
      >
        <SelectField
          label={t('operator')}
          value={edited.operator}
          options={operators.map((operator) => ({
            value: operator,
            label: t(`operator_${OPERATOR_IDS[operator]}`, { name: '', value: '' }).trim(),
          }))}
          onChange={(operator) =>
            setEdited({ ...edited, operator: operator as Condition['operator'] })
          }
        />
        {filter?.options ? (
          filter.options.map((option) => (
            <CheckField
              key={option.value}
              label={option.label}
              checked={edited.values.includes(option.value)}
              onChange={(on) =>
                setEdited({
                  ...edited,
                  values: on
                    ? [...edited.values, option.value]
                    : edited.values.filter((one) => one !== option.value),
                })
              }
            />
          ))
        ) : edited.operator === '!' || edited.operator === '!!' ? null : (
          <>
            <TextField
              label={t('value')}
              type={type === 'date' ? 'date' : 'text'}
              inputMode={type === 'amount' ? 'decimal' : 'text'}
              value={value}
              autofocus
              onInput={(typed) =>
                setEdited({ ...edited, values: [typed, ...edited.values.slice(1)] })
              }
            />
            {edited.operator === '<>' && (
              <TextField
                label={t('value_to')}
                type={type === 'date' ? 'date' : 'text'}
                value={edited.values[1] ?? ''}
                onInput={(typed) => setEdited({ ...edited, values: [value, typed] })}
              />
            )}
          </>
        )}
      </form>
    </Dialog>
  )
}

function ColumnsDialog<Row>({
  list,
  state,
  go,
  onClose,
}: {
  list: ListDefinition<Row>
  state: ListAddress
  go: (change: Partial<ListAddress>, replace?: boolean) => void
  onClose: () => void
}) {
  const standard = standardColumns(list)
  const shown = shownColumns(list, state)
  const [first] = list.columns
  const saving = useSavePreferences()
  const choose = (next: readonly string[]) => {
    const { [list.name]: _former, ...others } = preferences.peek().columns
    const isStandard = next.join() === standard.join()
    void saving.save({ columns: isStandard ? others : { ...others, [list.name]: [...next] } })
  }
  return (
    <Dialog title={t('columns')} onClose={onClose}>
      <ActionError error={saving.error} />
      {list.columns.map(({ id, label }) => (
        <CheckField
          key={id}
          label={label}
          checked={shown.includes(id)}
          disabled={id === first?.id}
          onChange={(on) => {
            const next = list.columns
              .map((column) => column.id)
              .filter((one) => (one === id ? on : shown.includes(one)))
            if (state.cols !== '') go({ cols: '' }, true)
            choose(next)
          }}
        />
      ))}
    </Dialog>
  )
}
