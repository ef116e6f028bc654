import { batch } from '@preact/signals'
import type { CheckoutResult, CheckoutView } from '../../shared/page-model.ts'
import { pollDelay, type Pauses, POLLS_MAX } from './polling.ts'
import type { Redirect, PageStep } from './screen.ts'
import type { Store } from './store.ts'
import { knownId } from './translator.ts'

/**
 * Why the page refreshed. Decides the notice shown and whether to redirect. OPENED: the page was
 * opened or shown again. SUBMITTED: the payer has just paid here. REQUESTED: another response made
 * a refresh necessary.
 */
export type RefreshReason = 'OPENED' | 'POLLED' | 'SUBMITTED' | 'REQUESTED' | 'TERMS_CHANGED'

export interface ResultsOptions {
  store: Store
  pauses: Pauses
  /** The instance's time, in epoch milliseconds. */
  time: () => number
  /** Navigates away from the page. */
  navigate: (redirect: Redirect) => void
  framed: boolean
  /** Fetches and applies the session; resolves to false when that failed. */
  refresh: (reason: RefreshReason) => Promise<boolean>
}

export type Results = ReturnType<typeof createResults>

/** Applies the server's view of a checkout to the store, and polls while it is undecided. */
export function createResults(options: ResultsOptions) {
  const { store, pauses, time, navigate, framed, refresh } = options
  const { checkout, step, notice, pollingStopped } = store
  /** The number of the latest wait; earlier waits end when they see a later number. */
  let latestWait = 0

  function apply(next: CheckoutView, reason: RefreshReason): void {
    // The payer returned to the form while the poll was under way.
    if (reason === 'POLLED' && !isUndecided()) return
    batch(() => {
      checkout.value = next
      const { result } = next
      if (result === null || result.outcome === 'DECLINED') applyToForm(result, reason)
      else applyResult(result, reason)
    })
  }

  function applyToForm(result: CheckoutResult | null, reason: RefreshReason): void {
    latestWait += 1
    if (step.value !== 'submitting') step.value = 'form'
    if (result !== null && reason !== 'TERMS_CHANGED') {
      const id = knownId(checkout.value.strings, result.message_id, 'errors.declined')
      notice.value = { tone: 'problem', id }
    } else if (reason === 'POLLED') {
      notice.value = { tone: 'news', id: 'status.free_again' }
    }
  }

  function applyResult(result: CheckoutResult, reason: RefreshReason): void {
    const { outcome } = result
    const paidHere = reason === 'SUBMITTED' || (reason === 'POLLED' && step.value !== 'busy')
    const accepted = outcome === 'COMPLETED' || outcome === 'PENDING'
    notice.value = null
    step.value = outcome === 'BUSY' ? 'busy' : 'result'
    if (paidHere && accepted) {
      // Only the payer's own payment with its details has a method.
      if (result.method !== null) store.completed.value = result
      // A payer who opens the page again sees the receipt instead.
      if (result.skip_receipt && result.redirect !== null && !framed) {
        return redirect({ url: result.redirect, to: 'MERCHANT' })
      }
    }
    if (reason !== 'POLLED' && isUndecided()) void poll()
  }

  function isUndecided(): boolean {
    if (step.value === 'busy') return true
    const { result } = checkout.value
    if (step.value !== 'result' || result === null) return false
    // A receipt without a date lacks details that could not be fetched yet.
    return result.outcome !== 'COMPLETED' || !result.date
  }

  /** Starts a wait and ends every earlier one. Returns whether it is still the latest. */
  function startWait(): () => boolean {
    latestWait += 1
    const wait = latestWait
    pollingStopped.value = false
    return () => wait === latestWait
  }

  /** Polls until the outcome is known, up to `POLLS_MAX` times. */
  async function poll(): Promise<void> {
    const isLatest = startWait()
    for (let attempt = 0; attempt < POLLS_MAX; attempt += 1) {
      await pauses.pause(pollDelay(attempt))
      if (!isLatest()) return
      await refresh('POLLED')
      if (!isLatest() || !isUndecided()) return
    }
    pollingStopped.value = true
  }

  function redirect(target: Redirect): void {
    // The URL comes from our server; other schemes are refused all the same.
    if (!/^https?:\/\//i.test(target.url)) return
    navigate(target)
    if (framed && !target.in_frame) void showBankScreen(target)
    else showStep(target)
  }

  /** Shows a step that waits for nothing. */
  function showStep(next: PageStep): void {
    latestWait += 1
    notice.value = null
    step.value = next
  }

  /** The host page opens the bank, so this page shows the bank screen instead of a redirect. */
  async function showBankScreen(target: Redirect): Promise<void> {
    if (!(await refresh('REQUESTED'))) showStep(target)
  }

  return {
    apply,
    poll,
    startWait,
    redirect,
    isUndecided,
    framed,

    /** The link is being paid in another window, whatever this session's last result is. */
    showBusy: (): void => {
      notice.value = null
      step.value = 'busy'
      void poll()
    },

    /** The link no longer accepts payments. */
    showGone: (): void => {
      const { expires } = checkout.value.terms
      const expired = expires !== null && Date.parse(expires) <= time()
      showStep(expired ? 'expired' : 'unavailable')
    },

    showForm: (): void => showStep('form'),
  }
}
