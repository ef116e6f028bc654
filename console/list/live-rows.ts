import { useEffect, useState } from 'preact/hooks'
import type { ListMeta } from '../api/lists.ts'
import { holdResource, onLiveEvent } from '../api/live-events.ts'
import { request } from '../api/request.ts'
import { seed } from '../api/resource.ts'
import { concernsList, mergeRows } from './merge-rows.ts'

export type ListAnswer<Row> = { meta: ListMeta } & Record<string, readonly Row[]>

/** How often a list asks again at most, however many events there are. */
const ASK_EVERY_MS = 2000

export interface LiveRows<Row> {
  rows: readonly Row[] | undefined
  /** How many rows came in since. */
  added: number
  show: () => void
}

/** Keeps the rows of a list up to date by the events of the instance. */
export function useLiveRows<Row>(
  list: { name: string; id: (row: Row) => string },
  path: string,
  answer: ListAnswer<Row> | undefined,
): LiveRows<Row> {
  const [latest, setLatest] = useState<{ path: string; answer: ListAnswer<Row> }>()
  useEffect(() => holdResource(path), [path])
  // What the screen asked for itself is newer.
  useEffect(() => setLatest(undefined), [answer, path])
  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let asked = 0
    const ask = async () => {
      timer = undefined
      asked = Date.now()
      try {
        const found = await request<ListAnswer<Row>>('GET', path, { signal: leaving.signal })
        setLatest({ path, answer: found })
      } catch {
        // The next event asks again.
      }
    }
    const stop = onLiveEvent(({ type }) => {
      if (timer !== undefined || !concernsList(list.name, type)) return
      timer = setTimeout(() => void ask(), Math.max(100, asked + ASK_EVERY_MS - Date.now()))
    })
    return () => {
      stop()
      clearTimeout(timer)
      leaving.abort()
    }
  }, [path, list.name])
  const shown = answer?.[list.name]
  if (!shown || latest?.path !== path) return { rows: shown, added: 0, show: () => {} }
  const merged = mergeRows(shown, latest.answer[list.name] ?? [], list.id)
  return { ...merged, show: () => seed(path, latest.answer) }
}
