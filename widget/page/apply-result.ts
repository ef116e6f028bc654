import type { CheckoutResult, CheckoutView } from '../../shared/page-model.ts'
import type { Leaving, Phase, State } from './store.ts'
import { LOOKS_MAX, pauseMs, type Pauses } from './polling.ts'
import { knownId } from './translator.ts'

/**
 * Why the page learns how things stand: it decides what is said and whether the payer is sent on.
 * OPENED: the page came up, or came back. WAITED: the page kept asking. PAID: this payer just did.
 * ASKED: another answer made it look. TERMS: the merchant changed the link.
 */
export type Origin = 'OPENED' | 'WAITED' | 'PAID' | 'ASKED' | 'TERMS'

const PHASES: Readonly<Record<CheckoutResult['outcome'], Phase>> = {
  COMPLETED: 'done',
  PENDING: 'done',
  CHECKING: 'unsure',
  BUSY: 'unsure',
  ACTION: 'editing',
  DECLINED: 'editing',
}

export interface OutcomeNeeds {
  state: State
  pauses: Pauses
  /** The time by the clock of the instance, in epoch milliseconds. */
  time: () => number
  go: (url: string, leaving: Leaving) => void
  /** The page stands inside another one, which takes the payer on. */
  framed: boolean
  refresh: (from: Origin) => Promise<boolean>
}

export type Results = ReturnType<typeof createResults>

/** Draws what the server says about a checkout, and waits where it is not decided yet. */
export function createResults({ state, pauses, time, go, framed, refresh }: OutcomeNeeds) {
  const { checkout, view, phase, notice, leaving, tired } = state
  /** The wait that counts; an older one ends when it sees a newer number. */
  let waits = 0

  function show(next: CheckoutView, from: Origin): void {
    // The payer went back to the form while the answer was on its way.
    if (from === 'WAITED' && !isWaiting()) return
    checkout.value = next
    const { result } = next
    if (result === null || result.outcome === 'DECLINED') toForm(result, from)
    else toResult(result, from)
  }

  function toForm(result: CheckoutResult | null, from: Origin): void {
    waits += 1
    view.value = 'FORM'
    leaving.value = null
    if (phase.value !== 'paying') phase.value = 'editing'
    if (result !== null && from !== 'TERMS') {
      const id = knownId(checkout.value.strings, result.message_id, 'errors.declined')
      notice.value = { tone: 'problem', id }
    } else if (from === 'WAITED') {
      notice.value = { tone: 'news', id: 'status.free_again' }
    }
  }

  function toResult(result: CheckoutResult, from: Origin): void {
    const { outcome, redirect } = result
    const elsewhere = view.value === 'BUSY'
    notice.value = null
    leaving.value = null
    view.value = outcome === 'BUSY' ? 'BUSY' : 'RESULT'
    phase.value = PHASES[outcome]
    // Only a payer who just paid is sent on; whoever opens the page again sees the receipt.
    const paidHere = from === 'PAID' || (from === 'WAITED' && !elsewhere)
    const final = outcome === 'COMPLETED' || outcome === 'PENDING'
    // Only their own payment has a method, and only one whose details have come has a reference.
    const own = result.method !== null && result.reference !== null
    if (paidHere && final && own) state.reached.value = result
    if (paidHere && final && result.skip_receipt && redirect !== null && !framed) {
      leave({ url: redirect, to: 'MERCHANT' })
    } else if (from !== 'WAITED' && isWaiting()) {
      void look()
    }
  }

  function isWaiting(): boolean {
    if (view.value === 'BUSY') return true
    const { result } = checkout.value
    if (view.value !== 'RESULT' || result === null) return false
    // A receipt without a reference is one whose details could not be fetched yet.
    return result.outcome !== 'COMPLETED' || result.reference === null
  }

  /** Begins a wait and ends every older one; answers whether it still counts. */
  function begin(): () => boolean {
    waits += 1
    const mine = waits
    tired.value = false
    return () => mine === waits
  }

  /** Asks until the outcome is known: slower and slower, and not for ever. */
  async function look(): Promise<void> {
    const counts = begin()
    for (let turn = 0; turn < LOOKS_MAX; turn += 1) {
      await pauses.pause(pauseMs(turn))
      if (!counts()) return
      await refresh('WAITED')
      if (!counts() || !isWaiting()) return
    }
    tired.value = true
  }

  function leave(to: Leaving): void {
    // The address comes from our server; anything that is not a page is still not followed.
    if (!/^https?:\/\//i.test(to.url)) return
    go(to.url, to)
    if (framed && !to.in_frame) void waitForWindow(to)
    else away(to)
  }

  function away(to: Leaving): void {
    waits += 1
    notice.value = null
    phase.value = 'leaving'
    leaving.value = to
  }

  /** The page around goes to the bank, or opens it beside itself: here both ways on stay open. */
  async function waitForWindow(to: Leaving): Promise<void> {
    if (!(await refresh('ASKED'))) away(to)
  }

  return {
    show,
    look,
    begin,
    leave,
    isWaiting,
    framed,

    /** Somebody else is paying, whatever this session's own older result says. */
    busy(): void {
      notice.value = null
      view.value = 'BUSY'
      phase.value = 'unsure'
      void look()
    },

    /** The link takes no more payments. */
    gone(): void {
      const { expires } = checkout.value.terms
      const ended = expires !== null && Date.parse(expires) <= time()
      waits += 1
      notice.value = null
      phase.value = 'done'
      view.value = ended ? 'EXPIRED' : 'UNAVAILABLE'
    },

    /** Back to the form from a bank's page that the payer leaves alone. */
    backToForm(): void {
      waits += 1
      leaving.value = null
      notice.value = null
      phase.value = 'editing'
      view.value = 'FORM'
    },
  }
}
