import type {
  CheckoutResult,
  CheckoutView,
  SubmitResponse,
  SubmitRequest,
} from '../../shared/page-model.ts'
import type { ApiResult } from './api.ts'
import type { Checkout } from './checkout.ts'
import type { Submission } from './form-input.ts'
import { millisecondsSince } from './milestones.ts'
import { pollDelay, POLLS_MAX } from './polling.ts'
import { retryRequest } from './retry-after.ts'
import type { Notice } from './store.ts'
import { knownId } from './translator.ts'

/** The server waits up to half a minute for the processor. */
const SUBMIT_TIMEOUT_MS = 45_000
const SLOW_MS = 8_000
const RETRIES_MAX = 5

/** One press of the pay button, from the first request to a known outcome. */
export function createPaymentFlow(options: Checkout['flow']) {
  const { store, send, api, session, results, pauses, setTimer, newAttemptKey, now } = options
  const { checkout, step, notice, announcement, slow, pollingStopped } = store

  /** The terms that the payer saw at the press of the button; nothing else is paid. */
  let confirmed = checkout.value

  const atForm = () =>
    step.value === 'form' || step.value === 'submitting' || step.value === 'unconfirmed'

  const sendSubmit = (body: SubmitRequest) =>
    send<SubmitResponse>({
      path: '/pay/checkouts/current/submit',
      body,
      token: session.token(),
      timeoutMs: SUBMIT_TIMEOUT_MS,
    })

  /**
   * Pays once, on the terms of `view`; concurrent calls do nothing. `prepare` builds the request. It
   * returns null when it has set field errors, and UNREACHABLE when it could not reach the processor.
   */
  async function pay(
    view: CheckoutView,
    prepare: () => Promise<Submission | 'UNREACHABLE' | null>,
  ): Promise<void> {
    if (step.value !== 'form') return
    confirmed = view
    step.value = 'submitting'
    notice.value = null
    store.refusedMember.value = null
    announcement.value = { id: 'status.paying' }
    const submission = (await session.prepare()) ? await prepare() : 'UNREACHABLE'
    // The new session may have shown that the link is paid or gone.
    if (!atForm()) return
    // Nothing was submitted, so nothing was charged.
    if (submission === 'UNREACHABLE') {
      returnToForm({ tone: 'problem', id: 'errors.no_connection' })
    } else if (submission === null) returnToForm(null)
    else await submit(submission, true)
  }

  async function submit(submission: Submission, mayRenew: boolean): Promise<void> {
    const { options_v } = confirmed
    // Every repetition sends this attempt key again, so the payer is charged at most once.
    let body: SubmitRequest = {
      attempt_key: newAttemptKey(),
      options_v,
      ...submission,
      milliseconds_since: millisecondsSince(store.milestones, now()),
    }
    const cancelSlow = setTimer(() => {
      slow.value = true
      announcement.value = { id: 'status.slow' }
    }, SLOW_MS)
    let response = await sendSubmit(body)
    const retry = { checkoutId: checkout.value.id ?? '', pause: pauses.pause }
    for (let retries = 0; retries < RETRIES_MAX; retries += 1) {
      const next = await retryRequest(response, body, retry)
      if (next === undefined) break
      body = next
      response = await sendSubmit(body)
    }
    cancelSlow()
    slow.value = false
    if (!isSessionExpired(response)) return handleResponse(response, body)
    if (!mayRenew || !(await session.renew())) {
      if (atForm()) returnToForm({ tone: 'problem', id: 'errors.session_expired' })
      return
    }
    if (!atForm()) return
    // The payer has just agreed to these terms, so the new session pays them at once.
    if (checkout.value.options_v === options_v) return submit(submission, false)
    returnToForm({ tone: 'news', id: 'status.terms_changed' })
  }

  async function handleResponse(
    response: ApiResult<SubmitResponse>,
    body: SubmitRequest,
  ): Promise<void> {
    announcement.value = null
    if (response.kind === 'UNREACHABLE') return recoverOutcome(body)
    if (response.kind === 'OK') return handleOutcome(response.value, body)
    if (response.status === 404 || response.status === 410) return results.showGone()
    // The error message begins with the path of the member.
    store.refusedMember.value = response.message.split(' ', 1)[0] ?? null
    const id = response.status === 429 ? 'errors.too_many_attempts' : 'errors.not_accepted'
    returnToForm({ tone: 'problem', id })
  }

  /**
   * Recovers the outcome after a lost response. Sends the same request with the same key, which the
   * server never charges twice, and reads the session where that fails too.
   */
  async function recoverOutcome(body: SubmitRequest): Promise<void> {
    const isLatest = results.startWait()
    step.value = 'unconfirmed'
    for (let attempt = 0; isLatest(); attempt += 1) {
      pollingStopped.value = attempt >= POLLS_MAX
      await pauses.pause(pollDelay(attempt))
      const response = await sendSubmit(body)
      if (!isLatest()) return
      if (response.kind !== 'UNREACHABLE') {
        if (!isSessionExpired(response)) return handleResponse(response, body)
        step.value = 'form'
        await session.renew()
        return
      }
      const current = await api.currentSession(session.token())
      if (!isLatest()) return
      if (current.kind !== 'OK') continue
      // A decline or a bank action could belong to an earlier attempt; these outcomes cannot.
      const outcome = current.value.checkout.result?.outcome
      if (outcome === 'COMPLETED' || outcome === 'PENDING' || outcome === 'CHECKING') {
        return results.apply(current.value.checkout, 'SUBMITTED')
      }
    }
  }

  async function handleOutcome(response: SubmitResponse, body: SubmitRequest): Promise<void> {
    switch (response.outcome) {
      case 'COMPLETED':
      case 'PENDING':
        return accepted(response, body)
      case 'ACTION':
        if (!response.action) return recoverOutcome(body)
        return results.redirect({ ...response.action, to: 'BANK' })
      case 'DECLINED':
        return declined(response)
      case 'TERMS_CHANGED':
        return termsChanged()
      case 'BUSY':
        await session.refresh('REQUESTED')
        return atForm() ? results.showBusy() : undefined
      case 'GONE':
        await session.refresh('REQUESTED')
        return atForm() ? results.showGone() : undefined
    }
  }

  async function accepted(response: SubmitResponse, body: SubmitRequest): Promise<void> {
    store.cvcResets.value += 1
    const { return_url, redirect } = response
    // A host page redirects the payer itself.
    if (!results.framed && return_url !== undefined && redirect !== undefined) {
      return results.redirect({ url: return_url, to: 'MERCHANT' })
    }
    const current = await api.currentSession(session.token())
    if (current.kind === 'OK' && current.value.checkout.result !== null) {
      return results.apply(current.value.checkout, 'SUBMITTED')
    }
    // Polling fetches the details later.
    const checking = response.message_id === 'status.checking'
    const result = resultWithoutDetails(checking ? 'CHECKING' : response.outcome, body)
    results.apply({ ...checkout.value, result }, 'SUBMITTED')
  }

  function resultWithoutDetails(outcome: string, body: SubmitRequest): CheckoutResult {
    const { alt_key, amount, currency, currency_digits, recurring } = checkout.value.terms
    return {
      outcome: outcome as CheckoutResult['outcome'],
      reference: null,
      alt_key: body.alt_key === undefined ? alt_key : body.alt_key,
      amount: recurring?.trial_days ? '0' : (body.amount ?? amount ?? '0'),
      currency,
      currency_digits,
      // The server sets it.
      date: '',
      redirect: null,
      transaction: null,
      account: null,
      skip_receipt: false,
      message: null,
      message_id: null,
      receipt_to: null,
      method: null,
      action: null,
    }
  }

  function declined(response: SubmitResponse): void {
    store.cvcResets.value += 1
    const id = knownId(checkout.value.strings, response.message_id, 'errors.declined')
    returnToForm({ tone: 'problem', id })
  }

  async function termsChanged(): Promise<void> {
    const before = confirmed.terms
    const refreshed = await session.refresh('TERMS_CHANGED')
    if (!atForm()) return
    if (!refreshed) return returnToForm({ tone: 'problem', id: 'errors.no_connection' })
    const { amount, currency } = checkout.value.terms
    const otherAmount = amount !== before.amount || currency !== before.currency
    returnToForm({
      tone: 'news',
      id: otherAmount ? 'status.amount_changed' : 'status.terms_changed',
    })
  }

  function returnToForm(reason: Notice | null): void {
    step.value = 'form'
    announcement.value = null
    notice.value = reason
    store.focusRequests.value += 1
  }

  return {
    pay,

    /** Announces the number of invalid fields and focuses the first. */
    reportInvalidFields(count: number): void {
      notice.value = null
      // Screen readers announce a repeated message only when its element is new.
      announcement.value = null
      store.focusRequests.value += 1
      queueMicrotask(() => (announcement.value = { id: 'status.fields', values: { count } }))
    },
  }
}

/** True when the server did nothing because the session has expired. */
function isSessionExpired(response: ApiResult<SubmitResponse>): boolean {
  if (response.kind === 'REFUSED') return response.status === 401
  return response.kind === 'OK' && response.value.message_id === 'errors.session_expired'
}

/** Returns a UUID that makes the repetitions of a submit idempotent. */
export function newAttemptKey(source: Crypto = crypto): string {
  // Browsers offer no randomUUID to a page that is loaded over http from another machine.
  if (typeof source.randomUUID === 'function') return source.randomUUID()
  const bytes = source.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
