import { heard, said } from '../../shared/embed-messages.ts'
import type { FromFrame, FromHost } from '../../shared/embed-messages.ts'
import type { CheckoutOptions } from './options.ts'

/** Without a word from the frame for so long, a link takes its place. */
const PATIENCE_MS = 12_000
/** A frame whose document has loaded speaks at once, unless it was refused. */
const LOADED_PATIENCE_MS = 3_000
/** A frame that does not say whether it may close is not ours any more. */
const ANSWER_MS = 2_000

export interface FrameNeeds {
  options: CheckoutOptions
  /** Resolves links that are given by their id. */
  base: string | undefined
  mode: 'inline' | 'overlay'
  /** Whose colour scheme the page follows. */
  place: Element
  /** The dialog around the frame, which follows it too. */
  around: HTMLElement | undefined
  /** Tells the merchant's page; false when it prevented what would follow. */
  emit: (type: string, detail: object) => boolean
  /** Shows the frame, or the link in its place. */
  show: (framed: boolean) => void
  /** What stands around the frame hears it first. */
  told: (message: FromFrame) => void
  /** The payer leaves, and may. */
  leave: () => void
}

export type Frame = ReturnType<typeof createFrame>

/** The payment page in an `iframe`, and what is said to it and heard from it (contract 18). */
export function createFrame({ options, base, mode, place, around, ...needs }: FrameNeeds) {
  const element = document.createElement('iframe')
  const link = document.createElement('a')
  // Not a secret: it tells the frames of one page apart.
  const frame = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let origin: string
  let ready: boolean
  let visible = mode === 'inline'
  let asked = 0
  let late = 0

  element.setAttribute(
    'sandbox',
    'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
  )
  element.allow = 'payment *; publickey-credentials-get *; clipboard-write'
  element.referrerPolicy = 'origin'
  element.title = 'Checkout'
  element.onload = () => {
    if (!ready) wait(LOADED_PATIENCE_MS)
  }
  link.target = '_blank'
  addEventListener('message', listen)

  function wait(ms: number): void {
    clearTimeout(late)
    late = setTimeout(refuse, ms)
  }

  function refuse(): void {
    needs.show(false)
    // eslint-disable-next-line no-console -- for the merchant's developer, and for nobody else
    console.error(`Checkstand: is ${location.origin} in the instance's allowed_origins?`)
    needs.emit('error', { code: 'NOT_FRAMED' })
  }

  function say(message: FromHost): void {
    element.contentWindow?.postMessage(said(frame, message), origin)
  }

  /** A page that declares no scheme is a light one, whatever the payer's system prefers. */
  function theme(): string {
    const declared = options.theme ?? getComputedStyle(place).colorScheme
    const scheme = /dark/.test(declared) ? (/light/.test(declared) ? '' : 'dark') : 'light'
    ;(around ?? element).style.colorScheme = scheme || 'light dark'
    return scheme
  }

  /** Loads the page, or another one in its place. */
  function load(): void {
    const { language, branding, label } = options
    const url = new URL(options.link, base)
    if (language) url.searchParams.set('lang', language)
    if (branding) url.searchParams.set('branding', branding)
    origin = url.origin
    link.href = url.href
    link.textContent = label ?? 'Open the payment page'
    url.hash = `${new URLSearchParams({
      checkstand: frame,
      origin: location.origin,
      theme: theme(),
      warm: visible ? '' : '1',
    })}`
    ready = false
    // Of our own origin, the frame could reach out of its sandbox.
    if (origin === location.origin) return refuse()
    element.src = url.href
    wait(PATIENCE_MS)
  }

  function listen(event: MessageEvent): void {
    const message = heard<FromFrame>(event, { source: element.contentWindow, origin, frame })
    if (!message) return
    clearTimeout(asked)
    const { type, detail } = message
    if (type === 'close') {
      if (asked || mode === 'overlay') needs.leave()
      return
    }
    if (type === 'ready') {
      clearTimeout(late)
      ready = true
      element.title = detail.title
      element.style.minHeight = ''
      needs.show(true)
      say({ type: 'init', detail: { mode, theme: theme() } })
    }
    if (type === 'resize') element.style.height = `${detail.height}px`
    needs.told(message)
    if (!needs.emit(type, detail)) return
    if (type === 'complete') go(detail.redirect)
    if (type === 'action') {
      if (detail.top) go(detail.url)
      // How high the bank's page is nobody tells.
      else element.style.minHeight = '600px'
    }
  }

  return {
    element,
    link,
    load,

    /** The payer sees a frame that was only kept warm until now. */
    reveal(): void {
      visible = true
      say({ type: 'visibility', detail: { visible } })
    },

    /** Says what changed to a page that stays. */
    dress(): void {
      say({ type: 'theme', detail: { theme: theme() } })
    },

    /** Asks to close; the answer is `leave`, or a frame that explains why it must stay. */
    ask(): void {
      if (!ready) return needs.leave()
      asked = setTimeout(needs.leave, ANSWER_MS)
      say({ type: 'close?', detail: {} })
    },

    end(): void {
      clearTimeout(asked)
      clearTimeout(late)
      removeEventListener('message', listen)
    },
  }
}

/** Moves the merchant's window on; what is not a page is not followed. */
function go(url?: string): void {
  if (url && /^https?:/.test(url)) location.assign(url)
}
