import { useEffect, useState } from 'preact/hooks'
import type { SearchResult } from '../../../shared/schemas/search.ts'
import { useInstance } from '../../address.ts'
import { request, type RequestError } from '../../api/request.ts'

const WAIT_MS = 80
const LIMIT = 12

export interface Search {
  /** What the results are of. */
  text: string
  results: readonly SearchResult[]
  error: RequestError | undefined
  /** A newer answer is on its way. */
  busy: boolean
  retry: () => void
}

/** Searches for what is typed, a moment after the last key. The former results stay until then. */
export function useSearch(typed: string): Search {
  const { api } = useInstance()
  const [state, setState] = useState<Omit<Search, 'retry'>>({
    text: '',
    results: [],
    error: undefined,
    busy: false,
  })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (typed === '') {
      setState({ text: '', results: [], error: undefined, busy: false })
      return undefined
    }
    setState((before) => ({ ...before, busy: true }))
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      const query = new URLSearchParams({ q: typed, limit: String(LIMIT) })
      request<{ results: SearchResult[] }>('GET', api(`/search?${query.toString()}`), {
        signal: leaving.signal,
      }).then(
        ({ results }) => setState({ text: typed, results, error: undefined, busy: false }),
        (error: RequestError) => {
          if (leaving.signal.aborted) return
          setState({ text: typed, results: [], error, busy: false })
        },
      )
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [typed, tries])
  return { ...state, retry: () => setTries(tries + 1) }
}
