import type { PageModel } from '../../shared/page-model.ts'
import { createApi, createSendRequest, type SetTimer } from './api.ts'
import { createResults } from './apply-result.ts'
import { createPauses } from './polling.ts'
import type { Redirect } from './screen.ts'
import { createSession, type Session } from './session.ts'
import { createStore } from './store.ts'
import type { TokenStore } from './token-store.ts'

/** What a checkout needs from the browser; tests and the server pass their own. */
export interface Environment {
  fetch: typeof fetch
  setTimer: SetTimer
  tokens: TokenStore
  /** Returns a UUID for an attempt to pay. */
  newAttemptKey: () => string
  /** The payer's clock, in epoch milliseconds. */
  now: () => number
  /** Navigates away from the page. */
  navigate: (redirect: Redirect) => void
  /** Set for a framed page. `origin` is the host page's, where known. */
  framed?: { origin: string | undefined } | undefined
}

export type Checkout = ReturnType<typeof createCheckout>

/** The state and the actions of a checkout. */
export function createCheckout(model: PageModel, environment: Environment) {
  const { setTimer, tokens, newAttemptKey, now, navigate, framed } = environment
  const store = createStore(model)
  const { step, screen, hydrated, pollingStopped } = store
  const time = () => now() + store.clockOffset
  const send = createSendRequest(environment.fetch, setTimer)
  const api = createApi(send, store, now)
  const pauses = createPauses(setTimer)
  const results = createResults({
    store,
    pauses,
    time,
    navigate,
    framed: framed !== undefined,
    refresh: (reason) => session.refresh(reason),
  })
  const session: Session = createSession({
    model,
    store,
    api,
    results: () => results,
    pauses,
    tokens,
    setTimer,
    embeddedIn: framed?.origin,
  })

  /** Polls at once: the connection is back, or the payer asks. */
  function checkNow(): void {
    if (pollingStopped.value && results.isUndecided()) void results.poll()
    else pauses.wake()
  }

  return {
    ...store,
    send,
    /** The instance's time as far as the page knows it, in epoch milliseconds. */
    time,
    framed: framed !== undefined,
    /** For the payment flow, which is loaded later. */
    flow: { store, send, api, session, results, pauses, setTimer, newAttemptKey, now },
    checkNow,
    changeLanguage: session.changeLanguage,
    prepare: session.prepare,
    lacksStrings: () => api.lacksStrings(store.checkout.value),

    /** Leaves the bank's page; the next submit cancels that attempt. */
    payAnotherWay: results.showForm,

    /** Resumes the session of this tab or opens one. */
    async start(): Promise<void> {
      hydrated.value = true
      if (model.sessions === null || session.isGone()) return
      session.resume()
      if (screen.value.kind === 'receipt' && !session.isOpen()) return
      await session.connect()
    },

    /** Refreshes a page that the browser kept in memory and shows again. */
    async shownAgain(): Promise<void> {
      const { kind } = screen.value
      const polls = kind === 'unconfirmed' || kind === 'checking' || kind === 'busy'
      // A submit that was frozen with the page fails and is then resolved by the payment flow.
      if (polls || step.value === 'submitting') return checkNow()
      if (!session.isGone() && session.isOpen()) await session.connect()
    },
  }
}
