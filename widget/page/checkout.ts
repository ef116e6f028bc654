import type { PageModel } from '../../shared/page-model.ts'
import { createRequest, createApi, type SetTimer } from './api.ts'
import { createResults } from './apply-result.ts'
import type { PayingNeeds } from './payment-flow.ts'
import { createSession, type Session } from './session.ts'
import { createState, type Leaving } from './store.ts'
import type { TokenStore } from './token-store.ts'
import { createPauses } from './polling.ts'

/** What the state needs from outside; tests hand in their own. */
export interface Environment {
  fetch: typeof fetch
  later: SetTimer
  tokens: TokenStore
  newKey: () => string
  /** The payer's own clock, in epoch milliseconds. */
  now: () => number
  /** Leaves the page. */
  go: (url: string, leaving: Leaving) => void
  /** Set where the page stands inside another one; `origin` is whose, where that is known. */
  framed?: { origin: string | undefined } | undefined
}

export type Checkout = ReturnType<typeof createCheckout>

/**
 * The payer's way through a checkout as signals and actions; components read and call them and
 * decide nothing (contract section 7, architecture section 11).
 */
export function createCheckout(model: PageModel, around: Environment) {
  const { later, tokens, newKey, now, go, framed } = around
  const state = createState(model)
  const { phase, view, ready, tired } = state
  const time = () => now() + state.ahead
  const ask = createRequest(around.fetch, later)
  const calls = createApi(ask, state, now)
  const pauses = createPauses(later)
  const outcomes = createResults({
    state,
    pauses,
    time,
    go,
    framed: framed !== undefined,
    refresh: (from) => session.refresh(from),
  })
  const session: Session = createSession({
    model,
    state,
    calls,
    outcomes: () => outcomes,
    pauses,
    tokens,
    later,
    embeddedIn: framed?.origin,
  })
  const paying: PayingNeeds = { state, ask, calls, session, outcomes, pauses, later, newKey, now }

  /** Asks at once: the connection is back, or the payer wants to know. */
  function checkNow(): void {
    if (tired.value && view.value !== 'FORM' && outcomes.isWaiting()) void outcomes.look()
    else pauses.wake()
  }

  return {
    ...state,
    ask,
    /** The time by the clock of the instance, as far as the page knows it, in epoch milliseconds. */
    time,
    /** The page stands inside another one, which takes the payer on. */
    framed: framed !== undefined,
    /** What paying works with, once its part is here. */
    paying,

    /** The payer leaves the bank's page alone; the next submit gives that attempt up. */
    payAnotherWay: () => outcomes.backToForm(),

    /** The page has come alive: takes up the session of this tab, or opens one. */
    async start(): Promise<void> {
      ready.value = true
      if (model.payment_link === null || session.isGone()) return
      session.resume()
      const paid = state.checkout.value.result?.outcome === 'COMPLETED'
      if (paid && !session.isOpen()) return
      await session.connect()
    },

    /** The page was kept whole and is shown again: what it shows may be long past (U-32). */
    async shownAgain(): Promise<void> {
      // A submit that was frozen with the page fails by itself, and finds out by itself.
      if (phase.value === 'paying' || phase.value === 'unsure') return checkNow()
      if (!session.isGone() && session.isOpen()) await session.connect()
    },

    checkNow,

    speak: (language: string) => session.speak(language),
  }
}
