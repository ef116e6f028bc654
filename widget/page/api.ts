import type {
  CheckoutView,
  KnownWording,
  OpenCheckoutResponse,
  OpenCheckoutRequest,
} from '../../shared/page-model.ts'
import { millisecondsSince } from './milestones.ts'
import type { Store } from './store.ts'

/**
 * REFUSED: the server did nothing. UNREACHABLE: it is unknown whether the server acted, because of no
 * connection, a timeout or a server error.
 */
export type ApiResult<T> =
  | { kind: 'OK'; value: T }
  | { kind: 'REFUSED'; status: number; message: string; headers: Headers }
  | { kind: 'UNREACHABLE' }

/** Runs `act` after `ms` milliseconds. Returns a function that cancels it. */
export type SetTimer = (act: () => void, ms: number) => () => void

export interface ApiRequest {
  path: string
  /** By default POST with a body and GET without one. */
  method?: 'DELETE'
  body?: unknown
  token?: string
  timeoutMs?: number
}

/** Sends a JSON request to the page's own origin. Never throws. */
export type SendRequest = <T>(request: ApiRequest) => Promise<ApiResult<T>>

const TIMEOUT_MS = 15_000

export function createSendRequest(fetchJson: typeof fetch, setTimer: SetTimer): SendRequest {
  return async <T>({
    path,
    method,
    body,
    token,
    timeoutMs = TIMEOUT_MS,
  }: ApiRequest): Promise<ApiResult<T>> => {
    const abort = new AbortController()
    const cancel = setTimer(() => abort.abort(), timeoutMs)
    try {
      const response = await fetchJson(path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
        cache: 'no-store',
        credentials: 'omit',
        signal: abort.signal,
      })
      const { status } = response
      // 408 and 409 do not tell the outcome either: the same request may be sent again.
      if (status >= 500 || status === 408 || status === 409) return { kind: 'UNREACHABLE' }
      const json: unknown = status === 204 ? null : await response.json()
      if (response.ok) return { kind: 'OK', value: json as T }
      return { kind: 'REFUSED', status, message: errorMessage(json), headers: response.headers }
    } catch {
      return { kind: 'UNREACHABLE' }
    } finally {
      cancel()
    }
  }
}

function errorMessage(json: unknown): string {
  const body = json as { error?: { message?: string } } | null
  return String(body?.error?.message)
}

export type Api = ReturnType<typeof createApi>

/** The session requests. Each names the strings that the page has and fetches only the others. */
export function createApi(send: SendRequest, store: Store, now: () => number) {
  const { model, checkout, milestones } = store

  /** The document of a form carries only the strings of the form. */
  const lacksStrings = ({ strings }: CheckoutView) =>
    model.view === 'FORM' && strings === model.checkout.strings

  async function fetchCheckout<T extends { checkout: CheckoutView }>(
    call: (known: Required<KnownWording>) => Promise<ApiResult<T>>,
    withStrings: boolean,
  ): Promise<ApiResult<T>> {
    const { strings_hash, strings } = checkout.value
    const fetchStrings = withStrings && lacksStrings(checkout.value)
    const response = await call({ strings_hash, known_strings: fetchStrings ? 'FORM' : 'ALL' })
    if (response.kind === 'OK') {
      const next = response.value.checkout
      store.clockOffset = Date.parse(next.now ?? '') - now() || 0
      // Another bundle comes whole.
      if (next.strings_hash === strings_hash) {
        next.strings = fetchStrings ? { ...strings, ...next.strings } : strings
      }
    }
    return response
  }

  return {
    lacksStrings,
    openSession: (path: string, body: OpenCheckoutRequest, withStrings: boolean) =>
      fetchCheckout<OpenCheckoutResponse>(
        (known) => send({ path, body: { ...body, ...known } }),
        withStrings,
      ),
    currentSession: (token: string) =>
      fetchCheckout<{ checkout: CheckoutView }>((known) => {
        const query = new URLSearchParams({ ...known, ...millisecondsSince(milestones, now()) })
        return send({ path: `/pay/checkouts/current?${query}`, token })
      }, true),
  }
}
