import { batch, signal } from '@preact/signals'
import type {
  CheckoutResult,
  CheckoutView,
  PageModel,
  PageView,
  SubmitAnswer,
  SubmitRequest,
} from '../../shared/page-model.ts'
import { createAsk, createCalls } from './calls.ts'
import type { Called, Later } from './calls.ts'
import { LOOKS_MAX, createPauses, pauseMs } from './waiting.ts'
import type { TokenStore } from './token-store.ts'
import { knownId } from './wording.ts'
import type { Words } from './wording.ts'

/** What the state needs from outside; tests hand in their own. */
export interface Surroundings {
  fetch: typeof fetch
  later: Later
  tokens: TokenStore
  newKey: () => string
  /** Epoch milliseconds. */
  now: () => number
  /** Leaves the page. */
  go: (url: string) => void
}

/**
 * editing: the payer has the word. paying: a submit is under way. unsure: its answer was lost, so
 * nothing may be said about the money and nothing may be paid. leaving: on the way to the bank or
 * the merchant. done: the outcome is known, or is being waited for.
 */
export type Phase = 'editing' | 'paying' | 'unsure' | 'leaving' | 'done'

/** What stands above the form. */
export interface Notice extends Words {
  tone: 'problem' | 'news'
}

/** What the form hands over to be paid; the session's part of the request is added here. */
export type Submission = Omit<SubmitRequest, 'attempt_key' | 'options_v'>

export interface Leaving {
  url: string
  to: 'MERCHANT' | 'BANK'
}

export type Checkout = ReturnType<typeof createCheckout>

/**
 * The payer's way through a checkout as signals and actions; components read and call them and
 * decide nothing (contract section 7, architecture section 11).
 */
export function createCheckout(model: PageModel, around: Surroundings) {
  const ask = createAsk(around.fetch, around.later)
  const calls = createCalls(ask)
  const { pause, wake } = createPauses(around.later)

  const checkout = signal(model.checkout)
  const view = signal<PageView>(model.view)
  const phase = signal<Phase>(model.view === 'RESULT' ? 'done' : 'editing')
  const notice = signal<Notice | null>(firstNotice(model))
  /** Said to screen readers only; what is visible announces itself. */
  const whisper = signal<Words | null>(null)
  const leaving = signal<Leaving | null>(null)
  /** The script runs: a reader without it is told so by what this hides. */
  const ready = signal(false)
  const connection = signal<'closed' | 'open' | 'failing'>('closed')
  /** Stopped looking by itself; the payer may ask again. */
  const tired = signal(false)
  /** The wait for an answer is longer than people expect. */
  const slow = signal(false)
  /** Members that the server refused, in dotted form, newest last. */
  const refusedMember = signal<string | null>(null)
  /** Counts the answers after which the security code must be typed again. */
  const setbacks = signal(0)
  /** Counts the moments at which the form needs the payer's eyes: the focus follows. */
  const attention = signal(0)

  let token: string | null = null
  let attemptKey = around.newKey()
  let opening: Promise<boolean> | undefined
  /** The waiting loop that counts; an older one ends when it sees a newer number. */
  let looks = 0
  let cancelExpiry = () => {}

  const link = model.payment_link

  // ---- the session ----

  function keep(next: string | null): void {
    token = next
    if (link !== null) around.tokens.write(link, next)
  }

  /** Opens a session once, however often it is asked for. False while the server is out of reach. */
  function open(): Promise<boolean> {
    opening ??= openOnce().finally(() => {
      opening = undefined
    })
    return opening
  }

  async function openOnce(): Promise<boolean> {
    if (link === null) return false
    const { strings_hash, language, branding } = checkout.value
    const answer = await calls.open(link, {
      strings_hash,
      language,
      ...(branding === null ? {} : { branding }),
    })
    if (answer.kind === 'OK') {
      batch(() => {
        keep(answer.value.token)
        connected()
        show(answer.value.checkout, 'OPENED')
      })
      return true
    }
    if (answer.kind === 'REFUSED' && (answer.status === 404 || answer.status === 410)) gone()
    else connection.value = 'failing'
    return false
  }

  function connected(): void {
    connection.value = 'open'
    if (notice.value?.id === 'errors.no_connection') notice.value = null
  }

  /** Asks for the session as it stands and shows it; opens another where this one is over. */
  async function refresh(from: Origin): Promise<boolean> {
    if (token === null) return open()
    const answer = await calls.current(token)
    if (answer.kind === 'LOST') {
      connection.value = 'failing'
      return false
    }
    if (answer.kind === 'REFUSED' || isOver(answer.value.checkout)) return renew()
    batch(() => {
      connected()
      show(answer.value.checkout, from)
    })
    return true
  }

  /** A session ran out: another one takes its place, and what was typed stays (complaint U-11). */
  async function renew(): Promise<boolean> {
    keep(null)
    const opened = await open()
    if (opened) attemptKey = around.newKey()
    if (opened && view.value === 'FORM') whisper.value = { id: 'status.session_renewed' }
    return opened
  }

  function watchExpiry(expires: string | null): void {
    cancelExpiry()
    const left = expires === null ? 0 : Date.parse(expires) - around.now()
    // A clock that runs ahead would renew for ever; the server's word at submit is enough then.
    if (left < 60_000) return
    cancelExpiry = around.later(() => {
      if (view.value !== 'FORM' || phase.value !== 'editing') return
      setbacks.value += 1
      void renew()
    }, left)
  }

  // ---- showing what is so ----

  function show(next: CheckoutView, from: Origin): void {
    checkout.value = next
    watchExpiry(next.expires)
    const { result } = next
    if (result === null || result.outcome === 'DECLINED') toForm(result, from)
    else waitOrRest(result, from)
  }

  function toForm(result: CheckoutResult | null, from: Origin): void {
    view.value = 'FORM'
    if (phase.value !== 'paying') phase.value = 'editing'
    leaving.value = null
    looks += 1
    if (result !== null && from !== 'TERMS') {
      const id = knownId(checkout.value.strings, result.message_id, 'errors.declined')
      notice.value = { tone: 'problem', id }
    } else if (from === 'WAITED') {
      notice.value = { tone: 'news', id: 'status.free_again' }
    }
  }

  function waitOrRest(result: CheckoutResult, from: Origin): void {
    const { outcome } = result
    const elsewhere = view.value === 'BUSY'
    notice.value = null
    leaving.value = null
    view.value = outcome === 'BUSY' ? 'BUSY' : 'RESULT'
    phase.value = PHASES[outcome]
    // Only a payer who just paid is sent on; whoever opens the page again sees the receipt.
    const paidHere = from === 'PAID' || (from === 'WAITED' && !elsewhere)
    const final = outcome === 'COMPLETED' || outcome === 'PENDING'
    if (paidHere && final && result.skip_receipt && result.redirect !== null) {
      leave({ url: result.redirect, to: 'MERCHANT' })
    } else if (outcome !== 'COMPLETED' && from !== 'WAITED') {
      void look()
    }
  }

  /** Looks until the outcome is known; slower and slower, and not for ever. */
  async function look(): Promise<void> {
    const mine = ++looks
    tired.value = false
    for (let turn = 0; turn < LOOKS_MAX; turn += 1) {
      await pause(pauseMs(turn))
      if (mine !== looks) return
      await refresh('WAITED')
      if (mine !== looks || !isWaiting()) return
    }
    tired.value = true
  }

  function isWaiting(): boolean {
    if (view.value === 'BUSY') return true
    const result = checkout.value.result
    if (view.value !== 'RESULT' || result === null) return false
    // A receipt without a reference is one whose details could not be fetched yet.
    return result.outcome !== 'COMPLETED' || result.reference === null
  }

  function isGone(): boolean {
    return view.value === 'EXPIRED' || view.value === 'UNAVAILABLE'
  }

  function gone(): void {
    const { expires } = checkout.value.terms
    const ended = expires !== null && Date.parse(expires) <= around.now()
    batch(() => {
      keep(null)
      notice.value = null
      phase.value = 'done'
      view.value = ended ? 'EXPIRED' : 'UNAVAILABLE'
    })
  }

  function leave(to: Leaving): void {
    if (!/^https?:\/\//.test(to.url)) return
    looks += 1
    batch(() => {
      notice.value = null
      phase.value = 'leaving'
      leaving.value = to
    })
    around.go(to.url)
  }

  // ---- paying ----

  /**
   * Pays once. `prepare` turns what was typed into a request, and answers null when it put the
   * trouble beside a field. A second call while one is under way does nothing.
   */
  async function pay(prepare: () => Promise<Submission | 'LOST' | null>): Promise<void> {
    if (phase.value !== 'editing' || view.value !== 'FORM') return
    batch(() => {
      phase.value = 'paying'
      notice.value = null
      refusedMember.value = null
      whisper.value = { id: 'status.paying' }
    })
    const reached = token !== null || (await open())
    const submission = reached ? await prepare() : 'LOST'
    if (view.value !== 'FORM') return
    if (submission === 'LOST' || submission === null) {
      // Nothing was submitted yet, so here the page does know that nothing was charged.
      backToForm(submission === null ? null : { tone: 'problem', id: 'errors.no_connection' })
      return
    }
    await submit(submission, true)
  }

  async function submit(submission: Submission, mayRenew: boolean): Promise<void> {
    const { options_v, terms } = checkout.value
    const body: SubmitRequest = { attempt_key: attemptKey, options_v, ...submission }
    const cancelSlow = around.later(() => {
      slow.value = true
      whisper.value = { id: 'status.slow' }
    }, 8_000)
    const answer = await calls.submit(token ?? '', body)
    cancelSlow()
    slow.value = false
    const over =
      (answer.kind === 'REFUSED' && answer.status === 401) ||
      (answer.kind === 'OK' && answer.value.message_id === 'errors.session_expired')
    // The payer agreed to these terms a moment ago; under a new session they are still agreed to.
    if (over && mayRenew && (await renew()) && view.value === 'FORM') {
      const same = checkout.value.terms.amount === terms.amount
      if (same && checkout.value.options_v === options_v) return submit(submission, false)
      return backToForm({ tone: 'news', id: 'status.session_renewed' })
    }
    if (over && view.value === 'FORM') {
      return backToForm({ tone: 'problem', id: 'errors.session_expired' })
    }
    if (!over) await heard(answer, body)
  }

  async function heard(answer: Called<SubmitAnswer>, body: SubmitRequest): Promise<void> {
    if (answer.kind === 'LOST') return findOut(body)
    if (answer.kind === 'OK') return settle(answer.value, body)
    attemptKey = around.newKey()
    if (answer.status === 404 || answer.status === 410) return gone()
    refusedMember.value = answer.message.split(' ', 1)[0] ?? null
    backToForm({
      tone: 'problem',
      id: answer.status === 429 ? 'errors.too_many_attempts' : 'errors.not_accepted',
    })
  }

  /**
   * The answer was lost. The same request with the same key is sent again, which the server
   * answers with the attempt's truth and never with a second charge; where even that fails, the
   * session is asked instead.
   */
  async function findOut(body: SubmitRequest): Promise<void> {
    const mine = ++looks
    batch(() => {
      phase.value = 'unsure'
      tired.value = false
      whisper.value = null
    })
    for (let turn = 0; mine === looks; turn += 1) {
      tired.value = turn >= LOOKS_MAX
      await pause(pauseMs(turn))
      const again = await calls.submit(token ?? '', body)
      if (mine !== looks) return
      if (again.kind === 'REFUSED' && again.status === 401) {
        phase.value = 'editing'
        await renew()
        return
      }
      if (again.kind !== 'LOST') return heard(again, body)
      const seen = await calls.current(token ?? '')
      if (mine !== looks) return
      // A decline or a bank page could be an older attempt's; these three cannot.
      const outcome = seen.kind === 'OK' ? seen.value.checkout.result?.outcome : undefined
      const known = outcome === 'COMPLETED' || outcome === 'PENDING' || outcome === 'CHECKING'
      if (seen.kind === 'OK' && known) return show(seen.value.checkout, 'PAID')
    }
  }

  async function settle(answer: SubmitAnswer, body: SubmitRequest): Promise<void> {
    switch (answer.outcome) {
      case 'COMPLETED':
      case 'PENDING':
        return accepted(answer, body)
      case 'ACTION':
        if (answer.action) return leave({ url: answer.action.url, to: 'BANK' })
        return findOut(body)
      case 'DECLINED':
        return declined(answer)
      case 'TERMS_CHANGED':
        return termsChanged()
      case 'BUSY':
        await refresh('BUSY')
        // The session's own older result may hide that another window pays; the answer does not.
        if (view.value === 'FORM') {
          batch(() => {
            notice.value = null
            view.value = 'BUSY'
            phase.value = 'unsure'
          })
          void look()
        }
        return
      case 'GONE':
        await refresh('BUSY')
        if (view.value === 'FORM') gone()
    }
  }

  async function accepted(answer: SubmitAnswer, body: SubmitRequest): Promise<void> {
    if (answer.return_url !== undefined && answer.redirect !== undefined) {
      return leave({ url: answer.return_url, to: 'MERCHANT' })
    }
    const checking = answer.message_id === 'status.checking'
    const outcome = checking ? 'CHECKING' : answer.outcome === 'COMPLETED' ? 'COMPLETED' : 'PENDING'
    const seen = await calls.current(token ?? '')
    const known = seen.kind === 'OK' && seen.value.checkout.result !== null
    if (known && !isOver(seen.value.checkout)) return show(seen.value.checkout, 'PAID')
    // The outcome is known even where its details cannot be fetched now.
    show({ ...checkout.value, result: bareResult(outcome, body) }, 'PAID')
    if (outcome === 'COMPLETED') void look()
  }

  function bareResult(outcome: CheckoutResult['outcome'], body: SubmitRequest): CheckoutResult {
    const { terms } = checkout.value
    return {
      outcome,
      reference: null,
      amount: body.amount ?? terms.amount ?? '0',
      currency: terms.currency,
      currency_digits: terms.currency_digits,
      date: new Date(around.now()).toISOString(),
      redirect: null,
      skip_receipt: false,
      message: null,
      message_id: null,
      method: null,
      action: null,
    }
  }

  function declined(answer: SubmitAnswer): void {
    attemptKey = around.newKey()
    setbacks.value += 1
    backToForm({
      tone: 'problem',
      id: knownId(checkout.value.strings, answer.message_id, 'errors.declined'),
    })
  }

  async function termsChanged(): Promise<void> {
    attemptKey = around.newKey()
    const before = checkout.value.terms
    const fetched = await refresh('TERMS')
    if (view.value !== 'FORM') return
    const { terms } = checkout.value
    const other = terms.amount !== before.amount || terms.currency !== before.currency
    if (!fetched) return backToForm({ tone: 'problem', id: 'errors.no_connection' })
    backToForm({ tone: 'news', id: other ? 'status.amount_changed' : 'status.terms_changed' })
  }

  function backToForm(why: Notice | null): void {
    batch(() => {
      phase.value = 'editing'
      whisper.value = null
      notice.value = why
      attention.value += 1
    })
  }

  // ---- what the page and the payer ask for ----

  async function keepConnecting(connect: () => Promise<boolean>): Promise<void> {
    for (let turn = 1; !(await connect()) && !isGone(); turn += 1) {
      if (view.value === 'FORM' && phase.value === 'editing') notice.value = { tone: 'problem', id: 'errors.no_connection' }
      await pause(pauseMs(turn))
      if (token !== null && connection.value === 'open') return
    }
  }

  return {
    checkout,
    view,
    phase,
    notice,
    whisper,
    leaving,
    ready,
    connection,
    tired,
    slow,
    refusedMember,
    setbacks,
    attention,
    model,
    ask,
    pay,

    /** The page has come alive: resumes the session of this tab, or opens one. */
    async start(): Promise<void> {
      ready.value = true
      if (link === null || view.value === 'EXPIRED' || view.value === 'UNAVAILABLE') return
      token = around.tokens.read(link)
      const paid = checkout.value.result?.outcome === 'COMPLETED'
      if (token === null && paid) return
      await keepConnecting(() => refresh('OPENED'))
    },

    /** The page was kept whole and is shown again: what it shows may be long past (U-32). */
    async shownAgain(): Promise<void> {
      if (!ready.value || phase.value === 'paying' || phase.value === 'unsure') return wake()
      if (link === null || token === null) return
      await keepConnecting(() => refresh('OPENED'))
    },

    /** Looks at once: the connection is back, or the payer asked. */
    checkNow(): void {
      if (tired.value && phase.value !== 'paying' && isWaiting()) void look()
      wake()
    },

    /** The payer leaves the bank's page alone; the next submit gives that attempt up. */
    payAnotherWay(): void {
      looks += 1
      attemptKey = around.newKey()
      batch(() => {
        leaving.value = null
        notice.value = null
        phase.value = 'editing'
        view.value = 'FORM'
      })
    },

    /** Fields are in the way: how many is said, and the focus goes to the first. */
    toFields(count: number): void {
      batch(() => {
        notice.value = null
        whisper.value = { id: 'status.fields', values: { count } }
        attention.value += 1
      })
    },
  }
}

const PHASES: Readonly<Record<CheckoutResult['outcome'], Phase>> = {
  COMPLETED: 'done',
  PENDING: 'done',
  CHECKING: 'unsure',
  BUSY: 'unsure',
  ACTION: 'editing',
  DECLINED: 'editing',
}

/** Why the view changes: it decides what is said and whether the payer is sent on. */
type Origin = 'OPENED' | 'WAITED' | 'PAID' | 'BUSY' | 'TERMS'

function firstNotice(model: PageModel): Notice | null {
  if (model.notice === null) return null
  const id = knownId(model.checkout.strings, model.notice, 'errors.declined')
  return { tone: 'problem', id }
}

/** Whether a session has ended with nothing to show for it. */
function isOver(checkout: CheckoutView): boolean {
  const ended = checkout.status === 'EXPIRED' || checkout.status === 'ABANDONED'
  return ended && checkout.result === null
}
