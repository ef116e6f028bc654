import { signal, type Signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { boot } from '../boot.ts'
import { request, type RequestError } from './request.ts'

/**
 * What is known of one GET. While it is asked again, the former data stay, so that a screen never
 * blinks.
 */
export interface Resource<Data> {
  data: Data | undefined
  error: RequestError | undefined
  /** The first answer is on its way. */
  loading: boolean
  /** A newer answer is on its way. */
  refreshing: boolean
  /** Epoch milliseconds of the newest answer. */
  at: number
}

const NOTHING: Resource<never> = {
  data: undefined,
  error: undefined,
  loading: true,
  refreshing: false,
  at: 0,
}

interface Entry {
  state: Signal<Resource<unknown>>
  asking: Promise<void> | undefined
  /** It changed while it was being asked. */
  again: boolean
  used: number
}

const KEPT_MAX = 200
/** Data of a screen that was left this recently are shown without asking again. */
const FRESH_MS = 3000

const entries = new Map<string, Entry>()

function entryOf(path: string): Entry {
  const known = entries.get(path)
  if (known) return known
  const created: Entry = {
    state: signal<Resource<unknown>>(NOTHING),
    asking: undefined,
    again: false,
    used: 0,
  }
  entries.set(path, created)
  if (entries.size > KEPT_MAX) forgetOldest()
  return created
}

function forgetOldest(): void {
  for (const [path, { used, asking }] of entries) {
    if (used > 0 || asking) continue
    entries.delete(path)
    return
  }
}

function ask(path: string, entry: Entry): Promise<void> {
  if (entry.asking) {
    entry.again = true
    return entry.asking
  }
  entry.state.value = { ...entry.state.value, refreshing: entry.state.value.data !== undefined }
  const answered = (state: Partial<Resource<unknown>>) => {
    entry.asking = undefined
    entry.state.value = { ...entry.state.value, ...state, loading: false, refreshing: false }
    if (!entry.again) return
    entry.again = false
    void ask(path, entry)
  }
  entry.asking = request<unknown>('GET', path).then(
    (data) => answered({ data, error: undefined, at: Date.now() }),
    (error: RequestError) => answered({ error }),
  )
  return entry.asking
}

/** Puts an answer that is known already into the cache. */
export function seed(path: string, data: unknown): void {
  entryOf(path).state.value = { ...NOTHING, data, loading: false, at: Date.now() }
}

for (const [path, data] of Object.entries(boot.first?.answers ?? {})) seed(path, data)

/** Asks again for what a screen shows, and forgets the rest. `isAffected` gets absolute paths. */
export function invalidate(isAffected: (path: string) => boolean): void {
  for (const [path, entry] of entries) {
    if (!isAffected(path)) continue
    if (entry.used > 0) void ask(path, entry)
    else entries.delete(path)
  }
}

/** Returns the resource at an absolute path and draws again when it changes; null asks for nothing. */
export function useResource<Data>(path: string | null): Resource<Data> & { reload: () => void } {
  const entry = useMemo(() => (path === null ? undefined : entryOf(path)), [path])
  useEffect(() => {
    if (path === null || !entry) return undefined
    entry.used += 1
    const isFresh = Date.now() - entry.state.peek().at <= FRESH_MS
    // What several parts of a screen show is asked once.
    if (!isFresh && !entry.asking) void ask(path, entry)
    return () => {
      entry.used -= 1
    }
  }, [path, entry])
  const state = (entry?.state.value ?? NOTHING) as Resource<Data>
  return { ...state, reload: () => path !== null && entry && void ask(path, entry) }
}
