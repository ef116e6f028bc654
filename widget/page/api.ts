import type {
  CheckoutView,
  KnownWording,
  OpenCheckoutAnswer,
  OpenCheckoutRequest,
} from '../../shared/page-model.ts'
import { millisecondsSince } from './milestones.ts'
import type { State } from './store.ts'

/**
 * What came of asking the server. LOST means that nobody knows whether it acted: no connection, a
 * timeout, a fault on its side. REFUSED means that it understood and did nothing.
 */
export type ApiResult<T> =
  | { kind: 'OK'; value: T }
  | { kind: 'REFUSED'; status: number; message: string; headers: Headers }
  | { kind: 'LOST' }

export type SetTimer = (act: () => void, ms: number) => () => void

const CALL_TIMEOUT_MS = 15_000

export interface ApiRequest {
  path: string
  /** DELETE where it is not a question: a body makes it a POST, and none a GET. */
  method?: 'DELETE'
  body?: unknown
  token?: string
  timeoutMs?: number
}

export type Request = <T>(call: ApiRequest) => Promise<ApiResult<T>>

/** One JSON call to our own origin; a body makes it a POST. Never throws. */
export function createRequest(fetchJson: typeof fetch, later: SetTimer): Request {
  return async <T>({
    path,
    method,
    body,
    token,
    timeoutMs = CALL_TIMEOUT_MS,
  }: ApiRequest): Promise<ApiResult<T>> => {
    const abort = new AbortController()
    const cancel = later(() => abort.abort(), timeoutMs)
    try {
      const response = await fetchJson(path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        // Of nothing this makes nothing.
        body: JSON.stringify(body),
        cache: 'no-store',
        credentials: 'omit',
        signal: abort.signal,
      })
      const { status } = response
      // 408 and 409 are no verdict either: the same question may be asked again.
      if (status >= 500 || status === 408 || status === 409) return { kind: 'LOST' }
      const json: unknown = status === 204 ? null : await response.json()
      if (response.ok) return { kind: 'OK', value: json as T }
      return { kind: 'REFUSED', status, message: messageOf(json), headers: response.headers }
    } catch {
      return { kind: 'LOST' }
    } finally {
      cancel()
    }
  }
}

function messageOf(json: unknown): string {
  const body = json as { error?: { message?: string } } | null
  return String(body?.error?.message)
}

export type Api = ReturnType<typeof createApi>

/** The questions of the payer's page. Each says which wording the page has, and brings only the rest. */
export function createApi(ask: Request, state: State, now: () => number) {
  const { model, checkout, milestones } = state

  /** Asks for a session, and puts its wording together with what the page had when it asked. */
  async function worded<T extends { checkout: CheckoutView }>(
    call: (known: Required<KnownWording>) => Promise<ApiResult<T>>,
  ): Promise<ApiResult<T>> {
    const { strings_hash, strings } = checkout.value
    // The document of a form carries a part of the wording; everything else carries all of it.
    const part = model.view === 'FORM' && strings === model.checkout.strings
    const answer = await call({ strings_hash, known_strings: part ? 'FORM' : 'ALL' })
    if (answer.kind === 'OK') {
      const next = answer.value.checkout
      state.ahead = Date.parse(next.now ?? '') - now() || 0
      if (next.strings_hash === strings_hash) next.strings = { ...strings, ...next.strings }
    }
    return answer
  }

  return {
    open: (link: string, body: OpenCheckoutRequest) =>
      worded<OpenCheckoutAnswer>((known) =>
        ask({ path: `/pay/${link}/checkouts`, body: { ...body, ...known } }),
      ),
    current: (token: string) =>
      worded<{ checkout: CheckoutView }>((known) => {
        const members = { ...known, ...millisecondsSince(milestones, now()) }
        const query = new URLSearchParams(members)
        return ask({ path: `/pay/checkouts/current?${query}`, token })
      }),
  }
}
