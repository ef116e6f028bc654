import {
  type FrameMessages,
  type FromFrame,
  heard,
  type HostMessages,
  type Sent,
} from '../../shared/embed-messages.ts'
import type { CheckoutOptions, MountedCheckout } from './options.ts'

/** A frame that has loaded speaks at once, and answers at once; one that does not is not ours. */
const PATIENCE_MS = 3000

/** Where links are that are given by their id; unknown in a merchant's own bundle. */
let base: string | undefined

/** Tells the address that the script was loaded from, which says whose ids it will be given. */
export function loadedFrom(address: string): void {
  base = address.replace(/widget[^?]*$/, 'pay/')
}

/** The members that any message may have; `type` says which of them are there. */
type Detail = FrameMessages['ready'] &
  FrameMessages['resize'] &
  FrameMessages['action'] &
  FrameMessages['complete']

/** A checkout over the page, which nobody sees until `show`. */
export interface PreparedCheckout extends MountedCheckout {
  show: () => void
}

/**
 * The payment page in a frame: in the place of what `target` holds, or in a dialog over the page,
 * which `target` opens. What happens in it happens to `target` as events, and to the listeners in
 * the options (contract section 18).
 *
 * Every byte of this travels to every page of every shop. So it is one function without layers, of
 * which little but the browser's own names is left when it is minified. All style is set through the
 * CSSOM, which no policy of a shop can forbid, and in a shadow root, where no rule of a shop reaches.
 */
export function embed(target: Element, options: CheckoutOptions, overlay?: true): PreparedCheckout {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const box = document.createElement('dialog')
  const button = document.createElement('button')
  const frame = document.createElement('iframe')
  const link = document.createElement('a')
  // No secret: it tells the frames of one page apart. Windows and origins keep strangers out.
  const nonce = Math.random() + ''
  const words = target.textContent
  const { style } = document.documentElement
  let origin: string
  let ready: boolean
  let visible = !overlay
  let timer: ReturnType<typeof setTimeout>

  function say<Type extends keyof HostMessages>(type: Type, detail?: HostMessages[Type]): void {
    // Written out, since a call would travel to every shop; the type is what both sides share.
    const message = { checkstand: 1, frame: nonce, type, detail } satisfies Sent
    if (ready) frame.contentWindow!.postMessage(message, origin)
  }

  /** Tells the shop; false when it prevented what would follow. */
  function emit(type: string, detail?: object): boolean {
    const event = new CustomEvent('checkstand:' + type, { bubbles: true, cancelable: true, detail })
    const listener = ('on' + type.replace(/./, (first) => first.toUpperCase())) as 'onClose'
    options[listener]?.(event as CustomEvent)
    return target.dispatchEvent(event)
  }

  function load(): void {
    // Whatever else stands there is a path: a shop's attributes are not always the shop's own words.
    const url = new URL(/^https?:/.test(options.link) ? options.link : './' + options.link, base)
    for (const name of ['language', 'branding'] as const)
      if (options[name]) url.searchParams.set(name, options[name])
    const theme = getComputedStyle(host).colorScheme
    if (link.href === url.href) return say('theme', { theme })
    link.href = url.href
    url.searchParams.set('theme', theme)
    origin = url.origin
    frame.title = box.ariaLabel = link.textContent = words || url.host
    url.hash = [nonce, location.origin, overlay].join()
    ready = false
    // Out of the page and in again it is a new frame: what it showed before has no more to say, nor
    // to answer for, and the payer's way back does not lead through it.
    frame.src = url.href
    if (overlay) box.replaceChildren(button, frame)
    else root.replaceChildren(frame)
  }

  function listen(event: MessageEvent): void {
    const message = heard<FromFrame>(event, frame.contentWindow, origin, nonce)
    if (!message) return
    clearTimeout(timer)
    const { type, detail } = message as { type: string; detail: Detail }
    if (type === 'close') return leave()
    if (type === 'focus-edge') button.focus()
    if (type === 'ready') {
      ready = true
      frame.title = box.ariaLabel = detail.title
      button.ariaLabel = detail.close
      say('init', { visible })
    }
    if (type === 'resize') frame.style.height = detail.height + 'px'
    const next = (detail.top ? detail.url : detail.redirect) as string
    if (emit(type, detail) && /^https?:/.test(next)) location.assign(next)
  }

  function ask(): void {
    clearTimeout(timer)
    say('close?')
    timer = setTimeout(leave, ready ? PATIENCE_MS : 0)
  }

  function leave(): void {
    destroy()
    emit('close')
  }

  function destroy(): void {
    clearTimeout(timer)
    removeEventListener('message', listen)
    if (box.open) style.overflow = ''
    visible = ready = false
    box.close()
    host.remove()
  }

  host.style.cssText = 'all:initial!important;font:inherit!important;color-scheme:inherit!important'
  frame.referrerPolicy = 'origin'
  frame.allow = 'payment *; clipboard-write'
  frame.onload = () =>
    setTimeout(
      (loaded: Window | null) => {
        if (loaded !== frame.contentWindow || ready) return
        frame.replaceWith(link)
        emit('error', { code: 'NOT_FRAMED' })
      },
      PATIENCE_MS,
      frame.contentWindow,
    )
  addEventListener('message', listen)
  link.target = '_blank'
  // Its setter takes a text, though its type speaks of a list.
  ;(frame as { sandbox: unknown }).sandbox =
    'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation allow-same-origin'
  frame.style.cssText = 'width:100%;border:0;height:480px;display:block'
  if (overlay) {
    box.style.cssText =
      'width:100%;border:0;max-width:480px;padding:0;max-height:100%;border-radius:14px;overflow:hidden;box-shadow:0 0 0 100vmax #000a'
    button.style.cssText =
      'width:44px;float:inline-end;font-size:28px;background:0;height:44px;border:0'
    button.onclick = ask
    button.textContent = '×'
    frame.style.maxHeight = 'calc(100dvh - 44px)'
    // The browser closes it nevertheless on a second Escape: a payment comes back into sight.
    box.oncancel = box.onclose = (event) => {
      event.preventDefault()
      if (!visible) return
      if (!box.open) box.showModal()
      ask()
    }
    root.append(box)
    document.body.append(host)
  } else target.replaceChildren(host)
  load()

  return {
    destroy,
    close: ask,
    update(changes) {
      options = { ...options, ...changes }
      load()
    },
    show() {
      visible = true
      style.overflow = 'hidden'
      box.showModal()
      say('visibility', { visible })
    },
  }
}
