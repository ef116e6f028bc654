import type { CheckoutResult, SubmitAnswer, SubmitRequest } from '../../shared/page-model.ts'
import type { Request, ApiResult, Api, SetTimer } from './api.ts'
import { retryRequest } from './retry-after.ts'
import { millisecondsSince } from './milestones.ts'
import type { Results } from './apply-result.ts'
import type { Session } from './session.ts'
import type { Notice, State } from './store.ts'
import { LOOKS_MAX, pauseMs, type Pauses } from './polling.ts'
import { knownId } from './translator.ts'

/** What the form hands over to be paid; the session's part of the request is added here. */
export type Submission = Omit<SubmitRequest, 'attempt_key' | 'options_v' | 'milliseconds_since'>

export interface PayingNeeds {
  state: State
  ask: Request
  calls: Api
  session: Session
  outcomes: Results
  pauses: Pauses
  later: SetTimer
  newKey: () => string
  /** Epoch milliseconds. */
  now: () => number
}

/** A processor may take half a minute to answer, and the server waits for it. */
const SUBMIT_TIMEOUT_MS = 45_000
const SLOW_MS = 8_000
/** How often a server that asks to come again is obeyed. */
const RETURNS_MAX = 5

/** One press of the pay button, from the first request to a known outcome (contract 7.3). */
export function createPaymentFlow(needs: PayingNeeds) {
  const { state, ask, calls, session, outcomes, pauses, later, newKey, now } = needs
  const { checkout, view, phase, notice, whisper, slow, tired } = state

  /** What the payer saw when they pressed Pay; nothing else is paid. */
  let seen = checkout.value

  const inForm = () => view.value === 'FORM'

  const send = (body: SubmitRequest) =>
    ask<SubmitAnswer>({
      path: '/pay/checkouts/current/submit',
      body,
      token: session.token(),
      timeoutMs: SUBMIT_TIMEOUT_MS,
    })

  /**
   * Pays once. `prepare` turns what was typed into a request; it answers null when it put the
   * trouble beside a field, and LOST when it could not reach the processor. A call while another
   * is under way does nothing.
   */
  async function pay(prepare: () => Promise<Submission | 'LOST' | null>): Promise<void> {
    if (phase.value !== 'editing' || !inForm()) return
    seen = checkout.value
    phase.value = 'paying'
    notice.value = null
    state.refusedMember.value = null
    whisper.value = { id: 'status.paying' }
    const reached = session.isOpen() || (await session.open())
    const submission = reached ? await prepare() : 'LOST'
    // Opening may have shown that the link is paid, or gone.
    if (!inForm()) return
    // Nothing was submitted yet, so here the page does know that nothing was charged.
    if (submission === 'LOST') backToForm({ tone: 'problem', id: 'errors.no_connection' })
    else if (submission === null) backToForm(null)
    else await submit(submission, true)
  }

  async function submit(submission: Submission, mayRenew: boolean): Promise<void> {
    const { options_v } = seen
    // A press of the button is one attempt; what repeats it after a lost answer sends this body.
    const milliseconds_since = millisecondsSince(state.milestones, now())
    let body: SubmitRequest = {
      attempt_key: newKey(),
      options_v,
      ...submission,
      milliseconds_since,
    }
    const cancelSlow = later(() => {
      slow.value = true
      whisper.value = { id: 'status.slow' }
    }, SLOW_MS)
    let answer = await send(body)
    const coming = { checkoutId: checkout.value.id ?? '', pause: pauses.pause }
    for (let returns = 0; returns < RETURNS_MAX; returns += 1) {
      const next = await retryRequest(answer, body, coming)
      if (next === undefined) break
      body = next
      answer = await send(body)
    }
    cancelSlow()
    slow.value = false
    if (!sessionIsOver(answer)) return heard(answer, body)
    if (!mayRenew || !(await session.renew())) {
      if (inForm()) backToForm({ tone: 'problem', id: 'errors.session_expired' })
      return
    }
    if (!inForm()) return
    const same = checkout.value.options_v === options_v
    // The payer agreed to these very terms a moment ago; under a new session they still do.
    if (same) return submit(submission, false)
    backToForm({ tone: 'news', id: 'status.terms_changed' })
  }

  async function heard(answer: ApiResult<SubmitAnswer>, body: SubmitRequest): Promise<void> {
    whisper.value = null
    if (answer.kind === 'LOST') return findOut(body)
    if (answer.kind === 'OK') return settle(answer.value, body)
    if (answer.status === 404 || answer.status === 410) return outcomes.gone()
    state.refusedMember.value = answer.message.split(' ', 1)[0] ?? null
    const tooMany = answer.status === 429
    const id = tooMany ? 'errors.too_many_attempts' : 'errors.not_accepted'
    backToForm({ tone: 'problem', id })
  }

  /**
   * The answer was lost. The same request with the same key is sent again, which the server
   * answers with the truth about the attempt and never with a second charge; where even that
   * fails, the session is asked instead.
   */
  async function findOut(body: SubmitRequest): Promise<void> {
    const counts = outcomes.begin()
    phase.value = 'unsure'
    for (let turn = 0; counts(); turn += 1) {
      tired.value = turn >= LOOKS_MAX
      await pauses.pause(pauseMs(turn))
      const again = await send(body)
      if (!counts()) return
      if (again.kind !== 'LOST') {
        if (!sessionIsOver(again)) return heard(again, body)
        phase.value = 'editing'
        await session.renew()
        return
      }
      const seen = await calls.current(session.token())
      if (!counts()) return
      // A decline or a bank's page could be an older attempt's; these outcomes cannot.
      const outcome = seen.kind === 'OK' ? seen.value.checkout.result?.outcome : undefined
      const known = outcome === 'COMPLETED' || outcome === 'PENDING' || outcome === 'CHECKING'
      if (seen.kind === 'OK' && known) return outcomes.show(seen.value.checkout, 'PAID')
    }
  }

  async function settle(answer: SubmitAnswer, body: SubmitRequest): Promise<void> {
    switch (answer.outcome) {
      case 'COMPLETED':
      case 'PENDING':
        return accepted(answer, body)
      case 'ACTION':
        if (!answer.action) return findOut(body)
        return outcomes.leave({ ...answer.action, to: 'BANK' })
      case 'DECLINED':
        return declined(answer)
      case 'TERMS_CHANGED':
        return termsChanged()
      case 'BUSY':
        await session.refresh('ASKED')
        return inForm() ? outcomes.busy() : undefined
      case 'GONE':
        await session.refresh('ASKED')
        return inForm() ? outcomes.gone() : undefined
    }
  }

  async function accepted(answer: SubmitAnswer, body: SubmitRequest): Promise<void> {
    // It has done its work, and the form may come back.
    state.setbacks.value += 1
    // A page around this one is told by the result, and takes the payer on by itself.
    if (!outcomes.framed && answer.return_url !== undefined && answer.redirect !== undefined) {
      return outcomes.leave({ url: answer.return_url, to: 'MERCHANT' })
    }
    const seen = await calls.current(session.token())
    if (seen.kind === 'OK' && seen.value.checkout.result !== null) {
      return outcomes.show(seen.value.checkout, 'PAID')
    }
    // The outcome is known even where its details cannot be fetched now; waiting fetches them.
    const checking = answer.message_id === 'status.checking'
    const result = bareResult(checking ? 'CHECKING' : answer.outcome, body)
    outcomes.show({ ...checkout.value, result }, 'PAID')
  }

  function bareResult(outcome: string, body: SubmitRequest): CheckoutResult {
    const { alt_key, amount, currency, currency_digits } = checkout.value.terms
    return {
      outcome: outcome as CheckoutResult['outcome'],
      reference: null,
      alt_key: body.alt_key === undefined ? alt_key : body.alt_key,
      amount: body.amount ?? amount ?? '0',
      currency,
      currency_digits,
      date: new Date(now() + state.ahead).toISOString(),
      redirect: null,
      transaction: null,
      account: null,
      skip_receipt: false,
      message: null,
      message_id: null,
      method: null,
      action: null,
    }
  }

  function declined(answer: SubmitAnswer): void {
    state.setbacks.value += 1
    const id = knownId(checkout.value.strings, answer.message_id, 'errors.declined')
    backToForm({ tone: 'problem', id })
  }

  async function termsChanged(): Promise<void> {
    const before = seen.terms
    const fetched = await session.refresh('TERMS')
    if (!inForm()) return
    if (!fetched) return backToForm({ tone: 'problem', id: 'errors.no_connection' })
    const { amount, currency } = checkout.value.terms
    const other = amount !== before.amount || currency !== before.currency
    backToForm({ tone: 'news', id: other ? 'status.amount_changed' : 'status.terms_changed' })
  }

  function backToForm(why: Notice | null): void {
    phase.value = 'editing'
    whisper.value = null
    notice.value = why
    state.attention.value += 1
  }

  return {
    pay,

    /** Fields are in the way: how many is said, and the focus goes to the first. */
    toFields(count: number): void {
      notice.value = null
      // As many as before are said again only where the words come anew.
      whisper.value = null
      state.attention.value += 1
      queueMicrotask(() => (whisper.value = { id: 'status.fields', values: { count } }))
    },
  }
}

/** Whether the server did nothing because it no longer knows the session. */
function sessionIsOver(answer: ApiResult<SubmitAnswer>): boolean {
  if (answer.kind === 'REFUSED') return answer.status === 401
  return answer.kind === 'OK' && answer.value.message_id === 'errors.session_expired'
}
