import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type Action, useAction } from '../api/action.ts'
import type { ListMeta } from '../api/lists.ts'
import { useResource } from '../api/resource.ts'
import { useInstance } from '../address.ts'
import { isLetter, isTyping } from '../shell/shortcuts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Keys } from '../ui/Keys.tsx'
import { ActionError, Empty, ErrorPanel, Skeleton } from '../ui/States.tsx'
import { formatMoney } from '../ui/Money.tsx'
import { ScreenHead, Tabs } from '../ui/Tabs.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import { choose, chooseAll, type Chosen, hasMore } from './chosen.ts'
import type { BulkAction, ListDefinition } from './definition.ts'
import { ExportButton } from './ExportButton.tsx'
import { FilterBar } from './FilterBar.tsx'
import { listQuery, PAGE_ROWS } from '../../shared/list-query.ts'
import { both, listHref, PAGES_MAX, readListAddress, type ListAddress } from './list-address.ts'
import { t } from './list-words.ts'
import './list.css'
import { type ListAnswer, useLiveRows } from './live-rows.ts'
import { Rows } from './Rows.tsx'
import { shownColumns } from './shown-columns.ts'
import { ViewsMenu } from './ViewsMenu.tsx'
import { countText } from '../ui/count-text.ts'

/** A screen that lists records: tabs, search, filters, rows, a panel for one row, pages. */
export function ListScreen<Row>({ list }: { list: ListDefinition<Row> }) {
  const instance = useInstance()
  const { path, query, route } = useLocation()
  const state = readListAddress(query)
  const go = (change: Partial<ListAddress>, replace = false) =>
    route(listHref(path, state, change), replace)
  const tab = list.tabs.find(({ id }) => id === state.tab) ?? list.tabs[0]
  const criteria = both(tab?.criteria, state.where, state.q && list.search?.(state.q))
  const order = state.order || list.order
  const address = instance.api(
    `/${list.name}?${listQuery({
      criteria,
      order,
      expand: list.expand,
      limit: PAGE_ROWS,
      page: state.page,
      summed: list.summed,
    })}`,
  )
  const answer = useResource<ListAnswer<Row>>(address)
  const { rows, added, show } = useLiveRows(list, address, answer.data)
  const sums = answer.data?.meta.sums
  const [chosen, setChosen] = useState<Chosen<Row>>(new Map())
  useEffect(() => setChosen(new Map()), [criteria, state.page])
  const [bulk, setBulk] = useState<BulkAction<Row>>()
  const choosing = useAction(async () => {
    setChosen(await chooseAll(list, instance.api(`/${list.name}`), { criteria, order }))
  })
  const isMore = answer.data !== undefined && rows !== undefined && hasMore(answer.data.meta, rows)
  const at = rows?.find((row) => list.id(row) === state.at)
  const body = useRef<HTMLDivElement>(null)
  useListKeys({
    list,
    rows,
    state,
    go,
    body,
    chosen,
    setChosen,
    chooseAll: isMore ? () => void choosing.run() : undefined,
    setBulk,
    open: (row) => route(instance.screen(list.href(row))),
  })
  const ids = shownColumns(list, state)
  const columns = list.columns.filter(({ id }) => ids.includes(id))
  const isFiltered = criteria !== (list.tabs[0]?.criteria ?? '')
  return (
    <div class={at && list.peek ? 'list-screen has-peek' : 'list-screen'}>
      <div class="list-main">
        <ScreenHead title={list.title}>{list.actions}</ScreenHead>
        {list.tabs.length > 1 && (
          <Tabs
            label={list.title}
            current={tab?.id ?? ''}
            tabs={list.tabs.map(({ id, label }) => ({
              id,
              label,
              href: listHref(path, state, { tab: id === list.tabs[0]?.id ? '' : id }),
              ...(id === tab?.id && answer.data && { count: answer.data.meta.total }),
            }))}
          />
        )}
        <FilterBar list={list} state={state} go={go}>
          <ViewsMenu list={list.name} state={state} columns={ids} />
          <ExportButton name={list.name} criteria={criteria} order={order ?? ''} />
        </FilterBar>
        {sums && sums.length > 0 && (
          <p class="list-sums">
            {sums.map(({ currency, count, amount }) => (
              <span key={currency} class="number">
                {t('sum', { amount: formatMoney(amount, currency), count })}
              </span>
            ))}
          </p>
        )}
        <div class="list-news" role="status">
          {added > 0 && (
            <Button icon="refresh-cw" onClick={show}>
              {t('new_rows', { count: added })}
            </Button>
          )}
        </div>
        <div class={answer.refreshing ? 'list-body is-refreshing' : 'list-body'} ref={body}>
          {answer.error && !rows ? (
            <ErrorPanel error={answer.error} retry={answer.reload} />
          ) : !rows ? (
            <Skeleton rows={8} />
          ) : rows.length === 0 ? (
            isFiltered ? (
              <Empty
                action={
                  <Button onClick={() => go({ q: '', where: '', tab: '' })}>{t('clear')}</Button>
                }
              >
                {t('no_match')}
              </Empty>
            ) : (
              <Empty {...list.empty}>{list.empty.text}</Empty>
            )
          ) : (
            <Rows
              list={list}
              columns={columns}
              rows={rows}
              state={state}
              go={go}
              chosen={chosen}
              setChosen={setChosen}
            />
          )}
        </div>
        {rows && rows.length > 0 && answer.data && (
          <ListFoot
            list={list}
            meta={answer.data.meta}
            state={state}
            go={go}
            rows={rows}
            chosen={chosen}
            setBulk={setBulk}
            choosing={isMore ? choosing : undefined}
          />
        )}
        {bulk && (
          <BulkDialog
            action={bulk}
            rows={[...chosen.values()]}
            onDone={() => {
              setBulk(undefined)
              setChosen(new Map())
            }}
            onClose={() => setBulk(undefined)}
          />
        )}
      </div>
      {at && list.peek && (
        <aside class="peek" aria-label={t('peek')}>
          <IconButton icon="x" label={t('close_peek')} onClick={() => go({ at: '' }, true)} />
          {list.peek(at)}
        </aside>
      )}
    </div>
  )
}

function ListFoot<Row>({
  list,
  meta,
  state,
  go,
  rows,
  chosen,
  setBulk,
  choosing,
}: {
  list: ListDefinition<Row>
  meta: ListMeta
  state: ListAddress
  go: (change: Partial<ListAddress>) => void
  rows: readonly Row[]
  chosen: Chosen<Row>
  setBulk: (action: BulkAction<Row>) => void
  /** Chooses the rows of all pages; undefined when there is one page, or too many. */
  choosing: Action<[]> | undefined
}) {
  const first = meta.offset + 1
  const last = meta.offset + rows.length
  const isPage = rows.every((row) => chosen.has(list.id(row)))
  return (
    <footer class="list-foot">
      {chosen.size > 0 && list.bulk ? (
        <>
          <b>{t('chosen', { count: chosen.size })}</b>
          {choosing && isPage && chosen.size < meta.total && (
            <Button kind="plain" busy={choosing.busy} onClick={() => void choosing.run()}>
              {t('choose_total', { total: countText(meta.total) })}
            </Button>
          )}
          {list.bulk.map((action) => (
            <Button
              key={action.label}
              icon={action.icon}
              {...(action.key !== undefined && { keys: `Shift ${action.key}` })}
              onClick={() => setBulk(action)}
            >
              {action.label}
            </Button>
          ))}
          {choosing && <ActionError error={choosing.error} />}
        </>
      ) : (
        <>
          <span class="number">
            {t('range', {
              first: countText(first),
              last: countText(last),
              total: countText(meta.total),
            })}
          </span>
          <span class="list-keys">
            <Keys keys="J K" /> {t('key_move')} <Keys keys="Enter" /> {t('key_open')}
            {list.peek && (
              <>
                {' '}
                <Keys keys="Space" /> {t('key_peek')}
              </>
            )}
            {Object.entries(list.rowKeys ?? {}).map(([key, { label }]) => (
              <>
                {' '}
                <Keys keys={key} /> {label}
              </>
            ))}
          </span>
        </>
      )}
      <span class="pages">
        <IconButton
          icon="chevron-left"
          label={t('previous')}
          disabled={state.page === 1}
          onClick={() => go({ page: state.page - 1 })}
        />
        <IconButton
          icon="chevron-right"
          label={t('next')}
          disabled={last >= meta.total || state.page >= PAGES_MAX}
          onClick={() => go({ page: state.page + 1 })}
        />
      </span>
    </footer>
  )
}

/**
 * `J` and `K` move, Enter opens, Space shows the panel, `X` chooses, Shift and `X` up to there, Ctrl and `A` all of
 * the page and then all pages, Shift and its letter begins a bulk action, `/` searches, Escape goes back.
 */
function useListKeys<Row>({
  list,
  rows,
  state,
  go,
  body,
  chosen,
  setChosen,
  chooseAll,
  setBulk,
  open,
}: {
  list: ListDefinition<Row>
  rows: readonly Row[] | undefined
  state: ListAddress
  go: (change: Partial<ListAddress>, replace?: boolean) => void
  body: { current: HTMLDivElement | null }
  chosen: Chosen<Row>
  setChosen: (chosen: Chosen<Row>) => void
  chooseAll: (() => void) | undefined
  setBulk: (action: BulkAction<Row>) => void
  open: (row: Row) => void
}): void {
  /** The row that was chosen last. */
  const anchor = useRef('')
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a'
      if (isAll && rows && list.bulk && body.current?.contains(document.activeElement)) {
        event.preventDefault()
        if (rows.every((each) => chosen.has(list.id(each)))) chooseAll?.()
        else setChosen(choose(list, rows))
        return
      }
      if (event.key === 'Escape' && state.at !== '' && !isTyping(event)) {
        go({ at: '' }, true)
        return
      }
      if (event.key === '/' && !isTyping(event)) {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('.list-search input')?.focus()
        return
      }
      if (!rows || !isLetter(event)) return
      const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
      const focused = links.findIndex((link) => link.contains(document.activeElement))
      const row = rows[focused]
      const letter = event.key.length === 1 ? event.key.toUpperCase() : event.key
      const bulk = event.shiftKey && list.bulk?.find(({ key }) => key === letter)
      if (bulk && chosen.size > 0) {
        event.preventDefault()
        setBulk(bulk)
        return
      }
      const step = { J: 1, K: -1, ArrowDown: 1, ArrowUp: -1 }[letter]
      if (step !== undefined) {
        const next = Math.max(0, Math.min(rows.length - 1, focused + step))
        links[next]?.querySelector<HTMLElement>('a')?.focus()
        const target = rows[next]
        if (state.at !== '' && target) go({ at: list.id(target) }, true)
      } else if (!row) {
        return
      } else if (letter === ' ' && list.peek) {
        go({ at: state.at === list.id(row) ? '' : list.id(row) }, true)
      } else if (letter === 'X' && list.bulk) {
        const next = new Map(chosen)
        const from = rows.findIndex((each) => list.id(each) === anchor.current)
        if (event.shiftKey && from >= 0) {
          const range = rows.slice(Math.min(from, focused), Math.max(from, focused) + 1)
          for (const each of range) next.set(list.id(each), each)
        } else if (!next.delete(list.id(row))) next.set(list.id(row), row)
        anchor.current = list.id(row)
        setChosen(next)
      } else if (letter === 'Enter' && document.activeElement?.tagName !== 'A') {
        open(row)
      } else if (list.rowKeys?.[letter]) {
        list.rowKeys[letter].run(row)
      } else {
        return
      }
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
