import type { CheckoutView, PageModel } from '../../shared/page-model.ts'
import type { Api, SetTimer } from './api.ts'
import type { RefreshReason, Results } from './apply-result.ts'
import { pollDelay, type Pauses } from './polling.ts'
import type { Store } from './store.ts'
import type { TokenStore } from './token-store.ts'

export interface SessionOptions {
  model: PageModel
  store: Store
  api: Api
  results: () => Results
  pauses: Pauses
  tokens: TokenStore
  setTimer: SetTimer
  /** The origin of the host page. */
  embeddedIn?: string | undefined
}

/** Sessions with less time left are not renewed by a timer. */
const RENEWABLE_MS_MIN = 60_000

export type Session = ReturnType<typeof createSession>

/** The checkout session of the page: opened, resumed and renewed. */
export function createSession(options: SessionOptions) {
  const { model, store, api, results, pauses, tokens, setTimer, embeddedIn } = options
  const { checkout, step, notice, connection, cvcResets } = store
  const { sessions } = model
  let token: string | null = null
  let opening: Promise<boolean> | undefined
  let cancelExpiry = () => {}

  function storeToken(next: string | null): void {
    token = next
    if (sessions !== null) tokens.write(sessions, next)
  }

  /** Opens a session. Concurrent calls share one request. Resolves to false without a session. */
  function open(language?: string): Promise<boolean> {
    return (opening ??= openOnce(language).finally(() => {
      opening = undefined
    }))
  }

  async function openOnce(language?: string): Promise<boolean> {
    if (sessions === null) return false
    const { language: current, branding } = checkout.value
    const response = await api.openSession(
      sessions,
      {
        language: language ?? current,
        ...(branding === null ? {} : { branding }),
        ...(embeddedIn === undefined ? {} : { embedded_origin: embeddedIn }),
      },
      // A first visit that ends at the form needs no more strings.
      connection.value !== 'closed',
    )
    // A payment under way stays in its own session.
    if (language && step.value !== 'form') return true
    if (response.kind === 'OK') {
      const { token: next, checkout: opened } = response.value
      storeToken(next)
      const complete = formShown(opened) === formShown(checkout.value) || !api.lacksStrings(opened)
      const view = complete ? opened : await fetchView(next)
      if (view) connected(view, 'OPENED')
      else connection.value = 'failing'
      return view !== undefined
    }
    if (response.kind === 'REFUSED' && (response.status === 404 || response.status === 410)) {
      // Only a session response carries the instance's time, which decides what is shown.
      if (token !== null) await api.currentSession(token)
      storeToken(null)
      results().showGone()
    } else {
      connection.value = 'failing'
    }
    return false
  }

  async function fetchView(from: string): Promise<CheckoutView | undefined> {
    const response = await api.currentSession(from)
    return response.kind === 'OK' ? response.value.checkout : undefined
  }

  function connected(next: CheckoutView, reason: RefreshReason): void {
    connection.value = 'open'
    if (notice.value?.id === 'errors.no_connection') notice.value = null
    renewAtExpiry(next)
    results().apply(next, reason)
  }

  /** Fetches and applies the session, or opens a new one when it has ended. */
  async function refresh(reason: RefreshReason): Promise<boolean> {
    if (token === null) return open()
    const response = await api.currentSession(token)
    if (response.kind === 'UNREACHABLE') {
      connection.value = 'failing'
      return false
    }
    if (response.kind === 'REFUSED' || hasEnded(response.value.checkout)) return renew()
    connected(response.value.checkout, reason)
    return true
  }

  /** Opens a new session. The form's input does not belong to the session, so it is kept. */
  async function renew(): Promise<boolean> {
    const wasConnected = connection.value !== 'closed'
    const opened = await open()
    if (opened && wasConnected && step.value === 'form') {
      notice.value = { tone: 'news', id: 'status.session_renewed' }
    }
    return opened
  }

  function renewAtExpiry({ now, expires }: CheckoutView): void {
    cancelExpiry()
    // Both are the instance's time, so the payer's clock does not matter.
    const left = Date.parse(expires ?? '') - Date.parse(now ?? '')
    // Renewing a session that opens expired would never end; a submit renews it anyway.
    if (!(left >= RENEWABLE_MS_MIN)) return
    cancelExpiry = setTimer(() => {
      if (step.value !== 'form') return
      cvcResets.value += 1
      void renew()
    }, left)
  }

  function isGone(): boolean {
    return step.value === 'expired' || step.value === 'unavailable'
  }

  return {
    token: () => token ?? '',
    isOpen: () => token !== null,
    open,
    refresh,
    renew,
    isGone,

    /**
     * Opens a session where there is none, and adds the strings that the document of a form lacks.
     * Takes nothing else from the response: terms that change must not change without a notice.
     */
    prepare: async (): Promise<boolean> => {
      if (token === null && !(await open())) return false
      if (token === null || !api.lacksStrings(checkout.value)) return true
      const response = await api.currentSession(token)
      if (response.kind === 'REFUSED') return renew()
      if (response.kind === 'UNREACHABLE') return false
      const { strings } = response.value.checkout
      if (api.lacksStrings(checkout.value)) checkout.value = { ...checkout.value, strings }
      return true
    },

    /** Opens a session in another language; the form's input is kept. */
    changeLanguage: async (language: string): Promise<void> => {
      // One at a time, so that the last choice wins.
      // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- `open` resets it
      while (opening) await opening
      if (step.value !== 'form' || (await open(language)) || isGone()) return
      notice.value = { tone: 'problem', id: 'errors.no_connection' }
    },

    /** Takes the token that this tab stored before a reload. */
    resume(): void {
      token = sessions === null ? null : tokens.read(sessions)
    },

    /** Retries until the server responds, with a notice meanwhile. */
    async connect(): Promise<void> {
      for (let attempt = 1; !(await refresh('OPENED')) && !isGone(); attempt += 1) {
        if (step.value === 'form') notice.value = { tone: 'problem', id: 'errors.no_connection' }
        await pauses.pause(pollDelay(attempt))
        // A submit opened the session meanwhile.
        if (token !== null && connection.value === 'open') return
      }
    },
  }
}

/** Everything that decides which strings the first view needs. */
function formShown(view: CheckoutView): string {
  const { terms, details, save_card, methods, saved_methods, result } = view
  return JSON.stringify([terms, details, save_card, methods, saved_methods, result])
}

/** True for a session that has ended without a result. */
function hasEnded({ status, result }: CheckoutView): boolean {
  return (status === 'EXPIRED' || status === 'ABANDONED') && !result
}
