import type { CheckoutView, PageModel } from '../../shared/page-model.ts'
import type { Api, SetTimer } from './api.ts'
import type { Origin, Results } from './apply-result.ts'
import type { State } from './store.ts'
import type { TokenStore } from './token-store.ts'
import { pauseMs, type Pauses } from './polling.ts'

export interface SessionNeeds {
  model: PageModel
  state: State
  calls: Api
  outcomes: () => Results
  pauses: Pauses
  tokens: TokenStore
  later: SetTimer
  /** The origin of the page around this one. */
  embeddedIn?: string | undefined
}

/** Sessions that have less than this left are not watched. */
const WATCHED_MS_MIN = 60_000

export type Session = ReturnType<typeof createSession>

/** The checkout session behind the page: opened, resumed and renewed (contract section 7.1). */
export function createSession(needs: SessionNeeds) {
  const { model, state, calls, outcomes, pauses, tokens, later, embeddedIn } = needs
  const { checkout, view, phase, notice, connection, setbacks } = state
  const link = model.payment_link
  let token: string | null = null
  let opening: Promise<boolean> | undefined
  let cancelExpiry = () => {}

  function keep(next: string | null): void {
    token = next
    if (link !== null) tokens.write(link, next)
  }

  /** Opens a session, once however often it is asked for; false when there is none after it. */
  function open(other?: string): Promise<boolean> {
    return (opening ??= openOnce(other).finally(() => {
      opening = undefined
    }))
  }

  async function openOnce(other?: string): Promise<boolean> {
    if (link === null) return false
    const { language, branding } = checkout.value
    const answer = await calls.open(link, {
      language: other ?? language,
      ...(branding === null ? {} : { branding }),
      ...(embeddedIn === undefined ? {} : { embedded_origin: embeddedIn }),
    })
    // A payment under way stays in its own session.
    if (other && phase.value !== 'editing') return true
    if (answer.kind === 'OK') {
      keep(answer.value.token)
      connected(answer.value.checkout, 'OPENED')
      return true
    }
    if (answer.kind === 'REFUSED' && (answer.status === 404 || answer.status === 410)) {
      // Only an answer about a session says what time it is for the link.
      if (token !== null) await calls.current(token)
      keep(null)
      outcomes().gone()
    } else {
      connection.value = 'failing'
    }
    return false
  }

  function connected(next: CheckoutView, from: Origin): void {
    connection.value = 'open'
    if (notice.value?.id === 'errors.no_connection') notice.value = null
    watchExpiry(next)
    outcomes().show(next, from)
  }

  /** Asks how the session stands and shows it; another takes the place of one that is over. */
  async function refresh(from: Origin): Promise<boolean> {
    if (token === null) return open()
    const answer = await calls.current(token)
    if (answer.kind === 'LOST') {
      connection.value = 'failing'
      return false
    }
    if (answer.kind === 'REFUSED' || isOver(answer.value.checkout)) return renew()
    connected(answer.value.checkout, from)
    return true
  }

  /**
   * What was typed is not the session's, so it stays (complaint U-11). The payer is told on a page
   * that they left open; on one that has only just been loaded nothing was typed yet.
   */
  async function renew(): Promise<boolean> {
    const used = connection.value !== 'closed'
    const opened = await open()
    if (opened && used && view.value === 'FORM' && phase.value === 'editing') {
      notice.value = { tone: 'news', id: 'status.session_renewed' }
    }
    return opened
  }

  function watchExpiry({ now, expires }: CheckoutView): void {
    cancelExpiry()
    // Both by the clock of the instance, whatever the payer's own says.
    const left = Date.parse(expires ?? '') - Date.parse(now ?? '')
    // What has run out already would be renewed for ever; the server says so at submit in any case.
    if (!(left >= WATCHED_MS_MIN)) return
    cancelExpiry = later(() => {
      if (view.value !== 'FORM' || phase.value !== 'editing') return
      setbacks.value += 1
      void renew()
    }, left)
  }

  function isGone(): boolean {
    return view.value === 'EXPIRED' || view.value === 'UNAVAILABLE'
  }

  return {
    token: () => token ?? '',
    isOpen: () => token !== null,
    open,
    refresh,
    renew,
    isGone,

    /** Goes on in another language under a session of its own; what was typed stays. */
    async speak(language: string): Promise<void> {
      // One after another, so that the last choice is the one that stays.
      // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- it ends by itself
      while (opening) await opening
      if (phase.value !== 'editing' || (await open(language)) || isGone()) return
      notice.value = { tone: 'problem', id: 'errors.no_connection' }
    },

    /** Takes up the session that this tab had before a reload, if any. */
    resume(): void {
      token = link === null ? null : tokens.read(link)
    },

    /** Asks until the server answers, and says so meanwhile; nothing typed is lost by it. */
    async connect(): Promise<void> {
      for (let turn = 1; !(await refresh('OPENED')) && !isGone(); turn += 1) {
        if (view.value === 'FORM' && phase.value === 'editing') {
          notice.value = { tone: 'problem', id: 'errors.no_connection' }
        }
        await pauses.pause(pauseMs(turn))
        // The payer pressed Pay meanwhile, and that opened it.
        if (token !== null && connection.value === 'open') return
      }
    },
  }
}

/** Whether a session has ended with nothing to show for it. */
function isOver(checkout: CheckoutView): boolean {
  const ended = checkout.status === 'EXPIRED' || checkout.status === 'ABANDONED'
  return ended && checkout.result === null
}
