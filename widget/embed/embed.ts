import {
  type FrameMessages,
  type FromFrame,
  receiveMessage,
  type HostMessages,
  type Envelope,
} from '../../shared/embed-messages.ts'
import type { CheckoutOptions, PreloadedCheckout } from './options.ts'

/** A payment page sends its first message, and its replies, in less time. */
const FRAME_TIMEOUT_MS = 3000

/** Where links given by their id are; unknown in a merchant's own bundle. */
let baseUrl: string | undefined

/** Sets the base URL of links given by their id, from the URL of the script. */
export function setBaseUrl(scriptUrl: string): void {
  baseUrl = scriptUrl.replace(/widget[^?]*$/, 'pay/')
}

/** The members of all messages; `type` tells which are present. */
type Detail = FrameMessages['ready'] &
  FrameMessages['resize'] &
  FrameMessages['action'] &
  FrameMessages['complete']

/**
 * Embeds the payment page in a frame, as the content of `target` or in a dialog over the page. Events
 * are dispatched on `target` and passed to the listeners in the options.
 *
 * Every page of a merchant loads this, so it is one function, which minifies well. Styles are set
 * through the CSSOM, which no Content-Security-Policy of the merchant forbids, and in a shadow root,
 * out of reach of the merchant's style sheets.
 */
export function embed(
  target: Element,
  options: CheckoutOptions,
  overlay?: true,
): PreloadedCheckout {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const box = document.createElement('dialog')
  const button = document.createElement('button')
  const frame = document.createElement('iframe')
  const link = document.createElement('a')
  // Tells the frames of one page apart. It is no secret: messages are checked by window and origin.
  const nonce = Math.random() + ''
  const label = target.textContent
  const { style } = document.documentElement
  let origin: string
  let ready: boolean
  let visible = !overlay
  let timer: ReturnType<typeof setTimeout>

  function post<Type extends keyof HostMessages>(type: Type, detail?: HostMessages[Type]): void {
    // Written out, because it is smaller than a call of `said`.
    if (ready)
      frame.contentWindow!.postMessage(
        { checkstand: 1, frame: nonce, type, detail } satisfies Envelope,
        origin,
      )
  }

  /** Returns false when a listener prevented the default action. */
  function emit(type: string, detail?: object): boolean {
    const event = new CustomEvent('checkstand:' + type, { bubbles: true, cancelable: true, detail })
    options[('on' + type.replace(/./, (first) => first.toUpperCase())) as 'onClose']?.(
      event as CustomEvent,
    )
    return target.dispatchEvent(event)
  }

  function load(): void {
    // Anything else is a path, because users of the merchant's site may control its attributes.
    const url = new URL(/^https?:/.test(options.link) ? options.link : './' + options.link, baseUrl)
    for (const name of ['language', 'branding'] as const)
      if (options[name]) url.searchParams.set(name, options[name])
    const theme = getComputedStyle(host).colorScheme
    if (link.href === url.href) return post('theme', { theme })
    link.href = url.href
    url.searchParams.set('theme', theme)
    origin = url.origin
    frame.title = box.ariaLabel = link.textContent = label || url.host
    // The setter makes it one text, with commas.
    ;(url as { hash: unknown }).hash = [nonce, location.origin, overlay]
    ready = false
    // A removed and inserted frame has a new window: the old page sends no more messages, and the
    // payer's history does not contain it.
    frame.src = url.href
    if (overlay) box.replaceChildren(button, frame)
    else root.replaceChildren(frame)
  }

  function listen(event: MessageEvent): void {
    const message = receiveMessage<FromFrame>(event, frame.contentWindow, origin, nonce)
    if (!message) return
    clearTimeout(timer)
    const { type, detail } = message as { type: string; detail: Detail }
    if (type === 'close') return closeNow()
    if (type === 'focus-edge') button.focus()
    if (type === 'ready') {
      ready = true
      frame.title = box.ariaLabel = detail.title
      button.ariaLabel = detail.close
      post('init', { visible })
    }
    if (type === 'resize') frame.style.height = detail.height + 'px'
    const next = (detail.top ? detail.url : detail.redirect) as string
    if (emit(type, detail) && /^https?:/.test(next)) location.assign(next)
  }

  function requestClose(): void {
    clearTimeout(timer)
    post('close?')
    timer = setTimeout(closeNow, ready ? FRAME_TIMEOUT_MS : 0)
  }

  function closeNow(): void {
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
      FRAME_TIMEOUT_MS,
      frame.contentWindow,
    )
  addEventListener('message', listen)
  link.target = '_blank'
  // The setter takes a string, though its type is a list.
  ;(frame as { sandbox: unknown }).sandbox =
    'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation allow-same-origin'
  frame.style.cssText = 'display:block;width:100%;border:0;height:480px'
  if (overlay) {
    // Hidden, it is laid out all the same, so that it is there at once when it is shown.
    box.style.cssText =
      'display:block;width:100%;box-shadow:0 0 0 100vmax #000a;border:0;max-width:480px;top:0;max-height:100%;border-radius:14px;padding:0;position:fixed;visibility:hidden;overflow:hidden'
    button.style.cssText =
      'border:0;background:0;height:44px;width:44px;font-size:28px;float:inline-end'
    button.onclick = requestClose
    button.textContent = '×'
    frame.style.maxHeight = 'calc(100dvh - 44px)'
    // Browsers close it on a second Escape all the same, so it is shown again.
    box.oncancel = box.onclose = (event) => {
      event.preventDefault()
      if (!visible) return
      if (!box.open) box.showModal()
      requestClose()
    }
    root.append(box)
    document.body.append(host)
  } else target.replaceChildren(host)
  load()

  return {
    destroy,
    close: requestClose,
    update(changes) {
      options = { ...options, ...changes }
      load()
    },
    show() {
      visible = true
      box.style.visibility = ''
      style.overflow = 'hidden'
      box.showModal()
      post('visibility', { visible })
    },
  }
}
